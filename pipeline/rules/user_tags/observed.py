"""What the trades of a month say of a dimension, where a rule can say it honestly.

Trades tell how often somebody trades and in which markets. Of risk they tell one thing only: the
losses that somebody lets grow. Leverage and what the account is worth are in no fill, so that no
number of trades shows a conservative hand. Of knowledge, style and temper they tell nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from afterword.pipeline.rules.evidence.rates import wilson_interval
from afterword.pipeline.rules.user_tags.schema import (
    LABELS,
    MARKETS_TAG,
    serialize_tag_value,
)

OBSERVED_DAYS: Final = 30
"""Days that are looked at: the window of R3's trading profile."""

FEWEST_OBSERVED_DAYS: Final = 14
"""Days that the trades must cover before they say how often somebody trades: two whole weeks, so
that each weekday counts twice."""

FEWEST_TRADES: Final = 20
"""Trades before they say anything of risk: with fewer, no share of them is known within a fifth."""

DAILY_SHARE: Final = 5 / 7
"""Share of days with a trade from which on somebody trades daily: each business day."""

WEEKLY_SHARE: Final = 1 / 7
"""Share of days with a trade from which on somebody trades weekly: one day a week."""

ACTIVE_TRADES: Final = 3
"""Closed trades per day with trades from which on a daily trader is active."""

SIGN_SHARE: Final = 0.2
"""Share of trades with a sign of an aggressive hand that the interval must be above."""


@dataclass(frozen=True, slots=True)
class TradesOfMonth:
    """What the rules count in the owner's trades of a window.

    Args:
        days: whole days that the trades cover, up to `OBSERVED_DAYS`; count, as all below.
        traded_days: of these, with a fill or a closed trade.
        trades: positions that were closed.
        by_market: fills and closed trades by market of the tag `markets`.
        leveraged: closed positions of perpetuals, futures and CFDs whose fills are known whole.
        liquidated: of these, closed by the venue.
        added_to_loser: of these, raised while they were losing.
    """

    days: int
    traded_days: int
    trades: int
    by_market: Mapping[str, int]
    leveraged: int
    liquidated: int
    added_to_loser: int


@dataclass(frozen=True, slots=True)
class ObservedTag:
    """What trades say of a dimension.

    Args:
        value: as a tag stores it; None where they do not decide.
        n: what it is drawn from; count.
        unit: what is counted, in the plural.
        why: the figures as words, or why nothing is said.
    """

    dimension: str
    value: str | None
    n: int
    unit: Literal["trades", "days", "fills"]
    why: str


def observed_tags(month: TradesOfMonth) -> tuple[ObservedTag, ...]:
    """Return what trades say of the three dimensions that they can say something of."""
    return (_frequency(month), _markets(month), _risk(month))


def _frequency(month: TradesOfMonth) -> ObservedTag:
    if not month.traded_days:  # nobody knows whether none was made, or none is kept
        why = f"no trade of the last {OBSERVED_DAYS} days is kept"
        return ObservedTag("frequency", None, 0, "days", why)
    if month.days < FEWEST_OBSERVED_DAYS:
        needed = f"{month.days} of the {FEWEST_OBSERVED_DAYS} days that are needed"
        why = f"too few: the trades that are kept cover {needed}"
        return ObservedTag("frequency", None, month.days, "days", why)
    share = month.traded_days / month.days
    if share >= DAILY_SHARE:
        is_active = month.trades >= ACTIVE_TRADES * month.traded_days
        value = "active" if is_active else "daily"
    else:
        value = "weekly" if share >= WEEKLY_SHARE else "passive"
    why = f"trades on {month.traded_days} of them, {month.trades} closed positions"
    return ObservedTag("frequency", value, month.days, "days", why)


def _markets(month: TradesOfMonth) -> ObservedTag:
    n = sum(month.by_market.values())
    if not n:
        return ObservedTag(MARKETS_TAG, None, 0, "fills", "no fill is in a market that has a value")
    by_count = sorted(month.by_market.items(), key=lambda item: (-item[1], item[0]))
    figures = ", ".join(f"{LABELS[MARKETS_TAG][market]} {count}" for market, count in by_count)
    value = serialize_tag_value(MARKETS_TAG, month.by_market)
    return ObservedTag(MARKETS_TAG, value, n, "fills", figures)


def _risk(month: TradesOfMonth) -> ObservedTag:
    n, added = month.leveraged, month.added_to_loser
    if n < FEWEST_TRADES:
        why = f"too few: {n} of the {FEWEST_TRADES} leveraged trades that are needed were closed"
        return ObservedTag("risk", None, n, "trades", why)
    figures = f"{added} raised a losing position, {month.liquidated} were liquidated"
    low, _ = wilson_interval(added, n)
    if month.liquidated or low >= SIGN_SHARE:
        return ObservedTag("risk", "aggressive", n, "trades", figures)
    unknown = "leverage and the size of the account are in no fill"
    why = f"{n} trades do not tell it: {figures}; {unknown}"
    return ObservedTag("risk", None, n, "trades", why)
