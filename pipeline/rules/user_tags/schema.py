"""The ten dimensions of a user's tags, their values and labels, as R3 lists them.

A value is stored as one text; that of `markets`, the only dimension with several, is a JSON array.
"""

import json
from collections.abc import Iterable
from typing import Final, Literal, get_args

from afterword.pipeline.errors import InvalidInputError

TagSource = Literal["user", "learned_preference", "inferred"]
"""Who says a value: the owner, a preference that was learned, or what was concluded from chats and
trades. The first one that says something counts."""

TAG_SOURCES: Final[tuple[TagSource, ...]] = get_args(TagSource)

MARKETS_TAG: Final = "markets"
"""The dimension with several values."""

_FINANCE: Final = ("Beginner", "Intermediate", "Advanced", "Expert")
_WEB3: Final = ("Novice", "Familiar", "Experienced", "Pro")
_FIVE: Final = ("Very Low", "Low", "Medium", "High", "Very High")


def _levels(labels: Iterable[str]) -> dict[str, str]:
    return {f"level_{number}": label for number, label in enumerate(labels, start=1)}


def _words(*values: str) -> dict[str, str]:
    """Return values with the labels that are their own words."""
    return {value: value.replace("_", " ").capitalize() for value in values}


def _same(*values: str) -> dict[str, str]:
    """Return the values of a personality dimension: each is its own label."""
    return {value: value for value in values}


LABELS: Final[dict[str, dict[str, str]]] = {
    "finance_knowledge": _levels(_FINANCE),
    "frequency": _words("passive", "weekly", "daily", "active"),
    MARKETS_TAG: _words("crypto_majors", "crypto_alts", "memes", "stocks", "commodities")
    | {"pre_ipo": "Pre-IPO"},
    "risk": _words("conservative", "balanced", "aggressive"),
    "web3_knowledge_level": _levels(_WEB3),
    "style": _words("fundamentals", "technical", "narrative", "news_event", "community"),
    "FOMO Index": _same(*_FIVE),
    "FUD Immunity": _same("Strong", "Medium", "Weak"),
    "Patience Level": _same("High", "Medium", "Low"),
    "Greed Index": _same(*_FIVE),
}
"""Values with their labels, by dimension; both in the order in which they are listed."""

TAG_DIMENSIONS: Final = tuple(LABELS)


def allowed_values(dimension: str) -> tuple[str, ...]:
    """Return the values that a dimension may have.

    Raises:
        InvalidInputError: there is no such dimension.
    """
    if not isinstance(dimension, str) or dimension not in LABELS:
        raise InvalidInputError("dimension", f"{dimension!a:.40} is unknown", ", ".join(LABELS))
    return tuple(LABELS[dimension])


def is_valid_tag_value(dimension: str, value: object) -> bool:
    """Return whether a value may be stored: one of the list, or for `markets` some, each once."""
    if not isinstance(dimension, str) or dimension not in LABELS:
        return False
    if dimension != MARKETS_TAG:
        return isinstance(value, str) and value in LABELS[dimension]
    if not isinstance(value, list | tuple) or not value:
        return False
    known = [market for market in LABELS[MARKETS_TAG] if market in value]
    return len(known) == len(value)


def serialize_tag_value(dimension: str, value: str | Iterable[str]) -> str:
    """Return a value as it is stored; the markets in the order of their list.

    Raises:
        InvalidInputError: no such dimension, or it may not have that value. Nothing is guessed: a
            value in other letters is another value.
    """
    allowed = allowed_values(dimension)
    given = value if isinstance(value, str) else list(value)
    if not is_valid_tag_value(dimension, given):
        accepted = ", ".join(allowed)
        if dimension == MARKETS_TAG:
            accepted = f"a list of one or more of {accepted}, each once"
        raise InvalidInputError(dimension, f"may not be {_short(given)}", accepted)
    if isinstance(given, str):
        return given
    return json.dumps([market for market in allowed if market in given])


def parse_stored_tag_value(dimension: str, stored: str) -> str | tuple[str, ...]:
    """Return a stored value: a text, or for `markets` the texts of its list.

    Raises:
        InvalidInputError: no such dimension, or it may not have that value.
    """
    if dimension != MARKETS_TAG:
        return serialize_tag_value(dimension, stored)
    try:
        value = json.loads(stored)
    except ValueError:
        value = stored
    serialize_tag_value(dimension, value if isinstance(value, str | list) else stored)
    return tuple(value)


def tag_label(dimension: str, stored: str) -> str:
    """Return what a stored value is called, as R3 shows it to people and prompts."""
    value = parse_stored_tag_value(dimension, stored)
    values = (value,) if isinstance(value, str) else value
    return ", ".join(LABELS[dimension][each] for each in values)


def render_tag_schema() -> str:
    """Return every dimension with its values and labels, a line each, for people and models."""
    return "\n".join(_line(dimension, labels) for dimension, labels in LABELS.items())


def _line(dimension: str, labels: dict[str, str]) -> str:
    values = " | ".join(
        value if value == label else f"{value} ({label})" for value, label in labels.items()
    )
    several = " (one or more)" if dimension == MARKETS_TAG else ""
    return f"{dimension}{several}: {values}"


def _short(value: object) -> str:
    return f"{value!a:.60}"
