"""What every activity must be, whichever reader made it."""

import re
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import LATEST, to_micros
from afterword.pipeline.domain.fills.secrets import check_no_secret
from afterword.pipeline.domain.spot.model import SpotActivity
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import shown

_CHAIN: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_HASH: Final = re.compile(r"0x[0-9a-f]{64}|[0-9A-Za-z_-]{16,128}")
_FIRST_MS: Final = 1_230_940_800_000  # 2009-01-03: the first block of any chain
_LAST_MS: Final = to_micros(LATEST) // 1_000
_LONGEST_TOKEN: Final = 64
_LIMIT: Final = Decimal(10**25)


def check_chain(chain: str, field: str) -> str:
    """Return the name of a chain in small letters.

    Raises:
        InvalidInputError: it is no name of a chain.
    """
    name = chain.strip().lower()
    if not _CHAIN.fullmatch(name):
        accepted = "1-32 small letters, digits, - and _: ethereum, arbitrum"
        raise InvalidInputError(field, f"is {shown(chain)}", accepted)
    return name


def check_activity(activity: SpotActivity, place: str) -> None:
    """Refuse an activity that no column can hold, or whose names could become sentences.

    Args:
        place: what the message calls it.

    Raises:
        InvalidInputError: it is refused.
    """
    if not _HASH.fullmatch(activity.tx_hash):
        accepted = "0x and 64 hex digits, or 16-128 letters and digits"
        raise InvalidInputError(f"{place}: tx_hash", f"is {shown(activity.tx_hash)}", accepted)
    if not _FIRST_MS <= activity.time_ms < _LAST_MS:
        accepted = "UTC milliseconds of 2009 to 2999: 1607465308000"
        raise InvalidInputError(f"{place}: time", f"is {activity.time_ms} ms", accepted)
    if not activity.sides or (activity.type == "swap" and len(activity.sides) < 2):
        accepted = "two sides of a swap, one of a transfer"
        raise InvalidInputError(f"{place}: sides", f"are {len(activity.sides)}", accepted)
    for token, amount in activity.sides:
        _check_token(token, place)
        _check_amount(amount, f"{place}: amount of {shown(token)}")
    if activity.gas is not None:
        _check_amount(activity.gas, f"{place}: gas")


def _check_token(token: str, place: str) -> None:
    is_one_word = token.isprintable() and not any(mark.isspace() for mark in token)
    if not (is_one_word and 0 < len(token) <= _LONGEST_TOKEN):
        accepted = f"1-{_LONGEST_TOKEN} printable characters without blanks"
        raise InvalidInputError(f"{place}: token", f"is {shown(token)}", accepted)
    check_no_secret((token,), f"{place}: token")


def _check_amount(amount: Decimal, field: str) -> None:
    if not 0 <= amount < _LIMIT:
        raise InvalidInputError(field, f"is {amount}", "a number from 0, below 10^25")
