"""Secrets inside addresses of the web: passwords, keys in a path, hooks; and `curl -u`."""

import re
from collections.abc import Iterator
from typing import Final

from pipeline.text.masking.credentials import is_key, is_stand_in
from pipeline.text.masking.finding import MARKER, Finding

_USERINFO: Final = re.compile(
    r"://(?P<user>[^\s/?#:@\"'`<>]{0,128}):(?!\d{1,5}[/?#])(?P<password>"
    r"[^\s/?\"'`<>]{1,256}|[^\s@\"'`<>]{1,256})@"
)
_USER_ONLY: Final = re.compile(r"://(?P<user>[^\s/?#:@\"'`<>\[\]]{16,256})@")
_USER_OPTION: Final = re.compile(
    r"(?<=\s)(?:-u|--user)[\s=]\s{0,3}[\"']?[^\s:\"']{1,128}:([^\s\"']{3,})"
)
_UUID: Final = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_IN_PATH: Final = re.compile(
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


def find(text: str) -> Iterator[Finding]:
    """Yield the secret parts of URLs; hosts, users and paths stay."""
    if "://" in text:
        yield from _userinfo(text)
    if "/" in text:
        for match in _IN_PATH.finditer(text):
            group = match.lastgroup or ""
            kind = "rpc-key" if group == "rpc" else f"{group}-webhook"
            yield Finding(match.start(group), match.end(group), kind)
    if "-u" in text:
        for match in _USER_OPTION.finditer(text):
            if not is_stand_in(match[1]) and not MARKER.match(match[1]):
                yield Finding(match.start(1), match.end(1), "password")


def _userinfo(text: str) -> Iterator[Finding]:
    for match in _USERINFO.finditer(text):
        if not is_stand_in(match["password"]):
            yield Finding(match.start("password"), match.end("password"), "password")
    for match in _USER_ONLY.finditer(text):
        if is_key(match["user"], 16):
            yield Finding(match.start("user"), match.end("user"), "token")
