"""Tokens made to be worth a dollar, and the days on which they were not."""

from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Final, NamedTuple


class PegBreak(NamedTuple):
    """Days on which a token could not be taken for a dollar, in UTC.

    Args:
        first: the first of them.
        last: the last of them; None if it lost its peg for good, or nobody can tell.
    """

    first: date
    last: date | None = None


_BANK_RUN: Final = PegBreak(date(2023, 3, 11), date(2023, 3, 13))

_PEGS: Final[dict[str, tuple[PegBreak, ...]]] = {
    # 0.87 on 11 March 2023, when a bank of its issuer failed; back on the Monday after.
    "USDC": (_BANK_RUN,),
    # 0.95 at exchanges on 12 May 2022, and 0.979 in a real swap of that day for 1,000,000 USDC.
    "USDT": (PegBreak(date(2022, 5, 12), date(2022, 5, 12)),),
    "USDT0": (),
    "USDE": (),
    "USDH": (),
    # Both stood on USDC for the most part in March 2023.
    "DAI": (_BANK_RUN,),
    "FRAX": (_BANK_RUN,),
    "LUSD": (),
    # 0.87 at exchanges on 2 April 2025, after its issuer was called insolvent.
    "FDUSD": (PegBreak(date(2025, 4, 2), date(2025, 4, 3)),),
    # 0.984 from 15 January 2024 11:00 on, 0.9685 on the 18th, 0.99 again some days later.
    "TUSD": (PegBreak(date(2024, 1, 15), date(2024, 1, 31)),),
    "BUSD": (),
    "crvUSD": (),
    "GUSD": (),
    # 0.915 on 16 May 2024, 0.96 after it; below a dollar for months from March 2025 on.
    "sUSD": (PegBreak(date(2024, 5, 16)),),
    # 0.97 on 27 January 2022; 0.982 in a real swap of 12 May; 0.926 from 17 June 23:40 on.
    "MIM": (
        PegBreak(date(2022, 1, 27), date(2022, 1, 31)),
        PegBreak(date(2022, 5, 12), date(2022, 5, 12)),
        PegBreak(date(2022, 6, 17)),
    ),
    # Of Waves: it wavered from 31 March 2022 on, 0.79 on 4 April, 0.82 on 11 May.
    "USDN": (PegBreak(date(2022, 3, 31)),),
    # Of Terra: 0.985 on 7 May 2022, cents a week later. Chains show it as USTC since then.
    "UST": (PegBreak(date(2022, 5, 7)),),
    "USTC": (PegBreak(date(2022, 5, 7)),),
    # Two tokens have the name: Unit Protocol's, which floats, and since August 2021 Paxos's. Both
    # were within 1.2 % of a dollar in all real swaps that were read, which end in June 2022.
    "USDP": (PegBreak(date(2022, 7, 1)),),
}

DOLLAR_PEGS: Final = MappingProxyType(_PEGS)
"""Breaks of their peg, by token as its contract or its venue spells it: a name that differs in one
letter is another token, whatever it looks like.

Source: reports of the days named above, and rates of swaps between two of these tokens.
"""

LASTING_DOLLARS: Final = tuple(
    token for token, breaks in _PEGS.items() if all(spell.last is not None for spell in breaks)
)
"""Those that are worth a dollar today."""

_ALSO: Final = {"USDe": "USDE"}
"""Spellings of a contract that differ from those of the venues."""


def is_dollar_token(token: str) -> bool:
    """Tell a token that is or was worth a dollar, by its exact name."""
    return token in _ALSO or token in _PEGS


def is_worth_a_dollar(token: str, at: datetime) -> bool:
    """Tell a token that could be taken for a dollar on the day of a moment."""
    breaks = _PEGS.get(_ALSO.get(token, token))
    if breaks is None:
        return False
    day = at.astimezone(UTC).date()
    return not any(spell.first <= day <= (spell.last or day) for spell in breaks)
