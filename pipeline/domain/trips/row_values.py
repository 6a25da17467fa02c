"""Values of stored trips: equal ones are one object, since a report holds every trip of an account.

Names, contract sizes and flags are the same in thousands of rows; of the amounts of one trip, two
are often equal.
"""

import json
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from afterword.pipeline.domain.trips.model import Flag

_RECENT: Final = 1_000
"""Texts that are remembered, so that an equal one is not read again; count."""


def number_of(text: str | None) -> Decimal | None:
    """Return the amount that a column holds; None where it holds none."""
    return None if text is None else amount_of(text)


@lru_cache(maxsize=_RECENT)
def amount_of(text: str) -> Decimal:
    """Return the amount that a column holds."""
    return Decimal(text)


@lru_cache(maxsize=_RECENT)
def flags_of(text: str) -> tuple[Flag, ...]:
    """Return the flags that a column holds as a JSON array."""
    return tuple(json.loads(text))


@lru_cache(maxsize=_RECENT)
def amounts_of(text: str) -> tuple[tuple[str, Decimal], ...]:
    """Return the amounts by token that a column holds as a JSON array."""
    return tuple((token, Decimal(amount)) for token, amount in json.loads(text))


def names_of(row: Any) -> dict[str, Any]:
    """Return what a trip and its market are called, as arguments of `Trip`."""
    return {
        "venue": _name(row.venue),
        "account": _name(row.sub_account_id),
        "symbol": _name(row.symbol),
        "kind": _name(row.kind),
        "direction": _name(row.direction),
        "quote": _name(row.quote),
    }


@lru_cache(maxsize=_RECENT)
def _name(text: str) -> str:
    return text
