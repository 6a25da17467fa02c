"""Splits of shares that are held: what files state of them, and the trips that they change."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.fills.rows import unplace_markets
from afterword.pipeline.domain.prices import rows
from afterword.pipeline.rules.market.splits import Split

HELD_SPLITS: Final = "fills"
"""Source of splits that count for what is held. Those of a source of prices are of its bars only:
most bars are adjusted already."""

_NEAR: Final = timedelta(days=7)
"""Two files tell one split, booked on the evening before or days after it."""


def held_splits(
    conn: Connection, until: int, at: int | None = None
) -> dict[str, tuple[Split, ...]]:
    """Return the splits by market that happened by a moment (microseconds), by time.

    Args:
        at: as known at a moment (microseconds); now if None.
    """
    return {
        symbol: tuple(split for split in splits if to_micros(split.effective_at) <= until)
        for symbol, splits in rows.splits_of_source(conn, HELD_SPLITS, at).items()
    }


def is_near(split: Split, other: Split) -> bool:
    """Tell two statements of one moment of a market, whatever ratio they state."""
    return abs(split.effective_at - other.effective_at) <= _NEAR


def keep_held_splits(store: Store, splits: Mapping[str, Sequence[Split]], clock: Clock) -> int:
    """Store splits by market, and have the trips that they change settled again.

    A split within a week of a known one is that one; with another ratio it takes its place.

    Returns:
        How many were not known.
    """
    with reading(store) as conn:
        if not any(_news(conn, symbol, of) for symbol, of in splits.items()):
            return 0
    count = 0
    with writing(store) as conn:
        for symbol, of_market in splits.items():
            known = rows.splits_of(conn, HELD_SPLITS, symbol)
            new = _news(conn, symbol, of_market)
            gone = [old for old in known if any(is_near(old, split) for split in new)]
            if new:
                rows.replace_splits(conn, HELD_SPLITS, symbol, gone, new, to_micros(clock()))
                first = min(split.effective_at for split in (*new, *gone))
                unplace_markets(conn, symbol, to_micros(first) // 1000)
            count += len(new)
    return count


def _news(conn: Connection, symbol: str, splits: Iterable[Split]) -> list[Split]:
    """Return the splits that are not known, each once."""
    known = list(rows.splits_of(conn, HELD_SPLITS, symbol))
    new: list[Split] = []
    for split in splits:
        if not any(is_near(split, other) and split.ratio == other.ratio for other in known):
            new.append(split)
            known.append(split)
    return new
