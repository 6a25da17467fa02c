"""Add the markets that the owner trades in to the tags (R3's `MarketsObjectiveUpdater`).

Values are only ever added, to what was concluded. What the owner declared stays as it is: there,
`declared against observed` says which other markets were traded.
"""

from collections.abc import Iterable

from sqlalchemy import Connection

from afterword.pipeline.core.store import Finisher, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.prices.class_rows import classes_at
from afterword.pipeline.domain.profile import observed_rows
from afterword.pipeline.domain.profile.observed import trades_until
from afterword.pipeline.domain.profile.tags import set_tag, tags_at
from afterword.pipeline.rules.user_tags.schema import (
    MARKETS_TAG,
    parse_stored_tag_value,
    serialize_tag_value,
)
from afterword.pipeline.rules.user_tags.traded_markets import traded_markets


def update_markets(
    by: Writer, strategy_symbols: Iterable[str] = (), finishing: Finisher | None = None
) -> tuple[str, ...]:
    """Add the markets of the owner's trades of the last 30 days.

    Args:
        by: the system.
        strategy_symbols: markets of the strategies that run now.
        finishing: the jobs that asked for it.

    Returns:
        The values that were added.
    """
    now = by.clock()
    with reading(by.store) as conn:
        days = observed_rows.by_day(conn, trades_until(conn, now, None))
        symbols = {day.symbol for day in days}.union(strategy_symbols)
        markets = traded_markets(symbols, classes_at(conn))
    with writing(by.store, finishing=finishing) as conn:
        added = union_markets(conn, by, markets)
    if added:
        emit("profile.markets_added", added=len(added))
    return added


def union_markets(conn: Connection, by: Writer, markets: Iterable[str]) -> tuple[str, ...]:
    """Add markets to what was concluded, in a transaction the caller has open.

    The row keeps its source; without one it is `inferred`. Nothing is taken away, and what the
    owner declared is not touched.

    Args:
        by: the system.

    Returns:
        The values that were added.

    Raises:
        InvalidInputError: a value that is none of the dimension `markets`.
    """
    concluded = (tag for tag in tags_at(conn, None) if tag.source != "user")
    row = next((tag for tag in concluded if tag.dimension == MARKETS_TAG), None)
    before = () if row is None else parse_stored_tag_value(MARKETS_TAG, row.value)
    together = dict.fromkeys([*before, *markets])
    if len(together) == len(before):
        return ()
    stored = serialize_tag_value(MARKETS_TAG, together)
    set_tag(conn, by, MARKETS_TAG, stored, "inferred" if row is None else row.source, by.clock())
    return tuple(market for market in together if market not in before)
