"""What can be learned: the dimensions, their values, and how an observation speaks of a value.

The list is finite, so that a statement is made of our words and a value, and holds no words of
anybody else; `other` is for the owner, and nothing is observed of it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.memory.checks import check_text, check_word, short_repr
from afterword.pipeline.domain.preferences.model import PREFERENCE_KINDS, PreferenceKind
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.classes import asset_class
from afterword.pipeline.rules.market.decimals import plain, read_price
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.user_tags.schema import LABELS

MIXED: Final = "mixed"
"""What a stretch shows that fits no value: it speaks against each of them."""

MAX_STATEMENT: Final = 300
"""Characters of a statement of the owner's own words: each session begins with it."""

LARGEST_ENTRY: Final = "largest_entry"
LEVERAGE: Final = "leverage"
"""Observations that are numbers, for the limits; no preference is of them."""

_MOST: Final = Decimal(10**9)
"""The largest limit that means anything."""

Speaks = Callable[[str, str, Collection[str]], bool | None]
"""Says whether a stretch follows a value: given the dimension under which it was observed, the
value, and what the stretch shows; None if it says nothing."""


@dataclass(frozen=True, slots=True)
class PreferenceDimension:
    """One thing that can be preferred.

    Args:
        name: as it is stored.
        values: each with the words of a statement; empty if `read` decides.
        read: returns a value as it is stored, or raises `ValueError`.
        words: the statement of a value that is not listed.
        accepted: what may be given, for a refusal.
        observed_as: the dimensions of observations that speak of it.
        speaks: how they do.
        is_tag: whether it is a dimension of the user's tags.
        binds: whether a hard constraint may be of it.
        is_habit: whether what is done may be proposed as a habit; limits are only said.
    """

    name: str
    values: dict[str, str]
    read: Callable[[str], str] | None = None
    words: Callable[[str], str] | None = None
    accepted: str = ""
    observed_as: tuple[str, ...] = ()
    speaks: Speaks = lambda _seen, value, shown: value in shown
    is_tag: bool = False
    binds: bool = True
    is_habit: bool = True


def _asset(written: str) -> str:
    key = normalise_symbol(written.strip().removeprefix("$"))
    if not key or asset_class(key) == "unknown":
        raise ValueError
    return key


def _amount(written: str) -> str:
    bare = written.strip().lower().removeprefix("$").replace(",", "").removesuffix("x")
    scale = {"k": 3, "m": 6}.get(bare[-1:], 0)
    amount = read_price(bare[:-1] if scale else bare)
    if amount is None or amount.scaleb(scale) > _MOST:
        raise ValueError
    return plain(amount.scaleb(scale))


def _avoided(seen: str, value: str, shown: Collection[str]) -> bool | None:
    # A day without an asset is no sign that it is avoided: most assets are traded on no day.
    if seen == "avoided_asset":
        return True if value in shown else None
    return False if value in shown else None


def _at_most(seen: str, value: str, shown: Collection[str]) -> bool:
    if seen in (LARGEST_ENTRY, LEVERAGE):
        return max(map(Decimal, shown)) <= Decimal(value)
    return value in shown  # said: another limit than this one speaks against it


_DIMENSIONS: Final = (
    PreferenceDimension(
        "frequency",
        {value: f"trades: {label.lower()}" for value, label in LABELS["frequency"].items()},
        observed_as=("frequency",),
        is_tag=True,
        binds=False,
    ),
    PreferenceDimension(
        "risk",
        {value: f"risk: {label.lower()}" for value, label in LABELS["risk"].items()},
        observed_as=("risk",),
        is_tag=True,
        binds=False,
    ),
    PreferenceDimension(
        "asset",
        {},
        _asset,
        lambda value: f"trade {value}",
        "a known asset, such as BTC or xyz:TSLA",
        ("asset",),
        binds=False,
    ),
    PreferenceDimension(
        "avoided_asset",
        {},
        _asset,
        lambda value: f"do not trade {value}",
        "a known asset, such as DOGE",
        ("avoided_asset", "asset"),
        _avoided,
        is_habit=False,
    ),
    PreferenceDimension(
        "direction",
        {"long": "open long positions, not short ones", "short": "open short positions, not long"},
        observed_as=("direction",),
    ),
    PreferenceDimension(
        "order_type",
        {"limit": "use orders that wait (limit)", "market": "use orders that take (market)"},
        observed_as=("order_type",),
    ),
    PreferenceDimension(
        "session_hours",
        {
            "asia": "open positions from 00:00 to 08:00 UTC",
            "europe": "open positions from 08:00 to 16:00 UTC",
            "us": "open positions from 16:00 to 24:00 UTC",
        },
        observed_as=("session_hours",),
    ),
    PreferenceDimension(
        "weekends",
        {"none": "open no positions on weekends (UTC)"},
        observed_as=("weekends",),
    ),
    PreferenceDimension(
        "holding_time",
        {
            "minutes": "hold positions for less than an hour",
            "hours": "hold positions for hours, less than a day",
            "days": "hold positions for days, less than a week",
            "weeks": "hold positions for a week or longer",
        },
        observed_as=("holding_time",),
        binds=False,
    ),
    PreferenceDimension(
        "position_size",
        {
            "under_100": "open positions of less than $100",
            "100_to_1k": "open positions of $100 to $1,000",
            "1k_to_10k": "open positions of $1,000 to $10,000",
            "10k_to_100k": "open positions of $10,000 to $100,000",
            "over_100k": "open positions of more than $100,000",
        },
        observed_as=("position_size",),
        binds=False,
    ),
    PreferenceDimension(
        "max_position_size",
        {},
        _amount,
        lambda value: f"open no position larger than ${Decimal(value):,f}",
        "dollars, such as 500 or 2k",
        ("max_position_size", LARGEST_ENTRY),
        _at_most,
        is_habit=False,
    ),
    PreferenceDimension(
        "max_leverage",
        {},
        _amount,
        lambda value: f"use no more than {value}x leverage",
        "a number, such as 3 or 2.5x",
        ("max_leverage", LEVERAGE),
        _at_most,
        is_habit=False,
    ),
    PreferenceDimension(
        "stop_loss",
        {"always": "set a stop loss for every position", "never": "set no stop losses"},
        observed_as=("stop_loss",),
    ),
    PreferenceDimension(
        "take_profit",
        {"always": "set a target for every position", "never": "set no targets"},
        observed_as=("take_profit",),
    ),
    PreferenceDimension("other", {}, accepted="a sentence of your own", is_habit=False),
)

PREFERENCE_DIMENSIONS: Final = {dimension.name: dimension for dimension in _DIMENSIONS}
"""Every dimension by its name, in the order in which they are listed."""

_KIND_WORDS: Final[dict[PreferenceKind, str]] = {
    "habit": "usual: {}",
    "soft_preference": "preferred: {}",
    "hard_constraint": "always: {}",
}


def dimension_of(name: str) -> PreferenceDimension:
    """Return a dimension.

    Raises:
        InvalidInputError: there is none of this name.
    """
    check_word(name, tuple(PREFERENCE_DIMENSIONS), "dimension")
    return PREFERENCE_DIMENSIONS[name]


def checked_value(dimension: str, kind: str, value: str) -> str:
    """Return a value as it is stored.

    Raises:
        InvalidInputError: no such dimension or kind, they do not fit each other, or the value is
            none of the dimension.
    """
    known = dimension_of(dimension)
    check_word(kind, PREFERENCE_KINDS, "kind")
    kinds = kinds_of(known)
    if kind not in kinds:
        raise InvalidInputError("kind", f"{kind} cannot be of {dimension}", " or ".join(kinds))
    if known.values:
        check_word(value, tuple(known.values), "value")
        return value
    if known.read is None:
        check_text(value, MAX_STATEMENT, "value")
        return " ".join(value.split())
    try:
        return known.read(value)
    except ValueError:
        raise InvalidInputError("value", f"is {short_repr(value)}", known.accepted) from None


def kinds_of(dimension: PreferenceDimension) -> tuple[PreferenceKind, ...]:
    """Return the kinds of preference that may be of a dimension."""
    kinds: list[PreferenceKind] = ["habit"] if dimension.is_habit else []
    kinds.append("soft_preference")
    return (*kinds, "hard_constraint") if dimension.binds else tuple(kinds)


def statement_of(dimension: str, kind: PreferenceKind, value: str) -> str:
    """Return what a preference says."""
    known = PREFERENCE_DIMENSIONS[dimension]
    if known.values:
        words = known.values[value]
    else:
        words = value if known.words is None else known.words(value)
    return words if dimension == "other" else _KIND_WORDS[kind].format(words)
