"""Secrets in web addresses: passwords, keys in a path, webhooks; and `curl -u`."""

import re
from collections.abc import Iterator
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.credentials import is_key, is_random, is_stand_in
from afterword.pipeline.rules.masking.finding import MARKER, Secret

_USERINFO: Final = expression(
    r"://(?P<user>[^\s/?#:@\"'`<>]{0,128}):(?!\d{1,5}[/?#])(?P<password>"
    r"<[^\s<>@\"'`]{1,256}>|[^\s/?\"'`<>]{1,256}|[^\s@\"'`<>]{1,256})@"
)
_BARE_USERINFO: Final = expression(  # without a scheme only a random value is a password
    r"(?<![\w/.:@-])[A-Za-z][\w.-]{0,63}:(?P<password><?[^\s/?\"'`<>@:]{8,128}>?)@"
    r"(?=[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)"
)
_USER_ONLY: Final = expression(r"://(?P<user>[^\s/?#:@\"'`<>\[\]]{16,256})@")
_USER_OPTION: Final = expression(
    r"(?<=\s)(?:-u|--user)[\s=]\s{0,3}[\"']?[^\s:\"']{1,128}:([^\s\"']{3,})"
)
_UUID: Final = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_IN_PATH: Final = expression(
    rf"""(?x)
    hooks\.slack\.com/ (?:services|workflows|triggers) / (?P<slack>[\w/-]{{16,}})
  | discord(?:app)?\.com/api/ (?:v\d+/)? webhooks/\d{{5,20}}/ (?P<discord>[\w-]{{20,}})
  | webhook\.office\.com/webhookb2/ (?P<teams>[\w@/-]{{40,}})
  | (?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/ (?P<lark>[\w-]{{20,}})
  | (?: \.alchemy\.com/(?:nft/)? (?:v\d/)? | \.alchemyapi\.io/v\d/ | \.infura\.io/(?:ws/)?v\d/
      | \.chainstack\.com/ | \.p2pify\.com/ | getblock\.io/(?:mainnet/)? | \.blastapi\.io/
      | rpc\.ankr\.com/[a-z0-9_]{{2,40}}/ | \.quiknode\.pro/ | \.quicknode\.pro/
      | \.nodereal\.io/v\d/ | \.drpc\.org/[a-z]{{1,20}}/
      | \.tenderly\.co/ | \.blockpi\.network/v\d/rpc/ | zkevm-rpc\.com/ | rpcpool\.com/ )
    (?P<rpc> {_UUID} | [\w-]{{20,}} )
    """,
    re.ASCII,
)


def find(text: str) -> Iterator[Secret]:
    """Yield the secret parts of URLs; hosts, user names and paths stay."""
    if "://" in text:
        yield from _userinfo(text)
    if "/" in text:
        for match in _IN_PATH.finditer(text):
            group = match.lastgroup or ""
            kind = "rpc-key" if group == "rpc" else f"{group}-webhook"
            yield Secret(match.start(group), match.end(group), kind)
    if "@" in text:
        for match in _BARE_USERINFO.finditer(text):
            yield from _password(match, must_mix=True)
    if "-u" in text:
        for match in _USER_OPTION.finditer(text):
            if not is_stand_in(match[1]) and not MARKER.match(match[1]):
                yield Secret(match.start(1), match.end(1), "password")


def _password(match: re.Match[str], *, must_mix: bool = False) -> Iterator[Secret]:
    """Yield the password of an address, without the brackets of a template."""
    (start, end), word = match.span("password"), match["password"]
    if is_in_brackets := word[0] == "<" and word[-1] == ">":
        start, end, word = start + 1, end - 1, word[1:-1]
    must_mix = must_mix or is_in_brackets
    if not is_stand_in(word) and (not must_mix or (is_key(word, 8) and is_random(word))):
        yield Secret(start, end, "password")


def _userinfo(text: str) -> Iterator[Secret]:
    for match in _USERINFO.finditer(text):
        yield from _password(match)
    for match in _USER_ONLY.finditer(text):
        if is_key(match["user"], 16):
            yield Secret(match.start("user"), match.end("user"), "token")
