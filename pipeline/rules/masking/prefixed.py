"""Random words whose prefix says what they are: that of a service, or a word such as `token`."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.entities.addresses import read_address
from afterword.pipeline.rules.masking.credentials import is_mixed
from afterword.pipeline.rules.masking.finding import Secret
from afterword.pipeline.rules.text.words import word_set

_BODY: Final = expression(r"(?<=[A-Za-z0-9][_-])[A-Za-z0-9]{16,}+")
_REST: Final = expression(r"(?:[_~.-]?[A-Za-z0-9]+)*+=*+")
_HEAD: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_LONGEST_HEAD: Final = 40
_SEPARATOR: Final = expression("[_-]+")

_SERVICES: Final = word_set(
    "bkua bkaj bkct ccipat ccipjr clojars cfpat dnkey duffel flwseck fio ico pnu rdme shippo sqp"
    " squ sqa sgp slk tfp zpka signkey jina pylf m0 mdb pdl polar phx rnd tgp vtwn xau bb nyk rpa"
    " rzp gitee unkey retool s4t2ud sm p8e tk hlx apify ghst inngest ghost novu svix convex"
    " dckr hcp atlasv1 lsv2 tvly exa serper deepgram flyio railway neon turso xoxe rudder hcaik"
    " infisical mistral cohere ccdata tgh tfe lightning nomic modal e2b daytona composio langdock"
)
_NAMES: Final = word_set(
    "key keys apikey sk secret secretkey token tok pat auth authtoken oauth pwd password passwd"
    " priv credential credentials webhooksecret accesstoken refreshtoken bearer"
)
_OTHERWISE: Final = word_set(
    "pk pub public id ids uid order ord oid trade tx txn hash dedup cache idempotency sort primary"
    " foreign partition routing index row object map page next cursor pagination continuation"
    " address addr mint contract coin symbol market pool pair session request req trace run job"
    " task msg message digest sha sha1 sha256 md5 commit block file"
)


def find(text: str) -> Iterator[Secret]:
    """Yield random words whose prefix is of a service, or names a key, a token or a password."""
    done = 0
    for match in _BODY.finditer(text):
        start, body = match.start(), match[0]
        if start < done or not is_mixed(body):
            continue
        window = text[max(done, start - _LONGEST_HEAD) : start]
        head = window[len(window.rstrip(_HEAD)) :]
        names = set(_SEPARATOR.split(head.lower()))
        is_known = names & _SERVICES or (names & _NAMES and not read_address(body))
        if not is_known or names & _OTHERWISE:
            continue
        rest = _REST.match(text, match.end())
        done = rest.end() if rest else match.end()
        yield Secret(start - len(head), done, "token")
