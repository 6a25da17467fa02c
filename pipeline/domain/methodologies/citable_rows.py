"""SQL of what a citation needs to know of a methodology."""

from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.methodologies.model import MethodDirection, Timeframe

_CITABLE: Final = """
SELECT m.id, m.uid, m.asset_class, m.direction, m.timeframe, m.known_at, m.merged_at, survivor.uid
FROM methodologies AS m LEFT JOIN methodologies AS survivor ON survivor.id = m.merged_into
"""


class CitableRow(NamedTuple):
    """A methodology as a citation sees it; moments in microseconds.

    Args:
        merged_uid: uid of the one it was merged into; None unless it was.
    """

    id: int
    uid: str
    asset_class: str
    direction: MethodDirection
    timeframe: Timeframe
    known_at: int
    merged_at: int | None
    merged_uid: str | None


def citable(conn: Connection) -> dict[str, CitableRow]:
    """Return every methodology by its uid, merged and deleted ones too."""
    rows = map(CitableRow._make, driver_cursor(conn).execute(_CITABLE) or ())
    return {row.uid: row for row in rows}
