"""SQL over the memories of a snapshot."""

from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.memory.rows import newest_first
from afterword.pipeline.domain.memory.visibility import visible

_LATEST: Final = """
SELECT id, category, content FROM memories
WHERE {conditions} ORDER BY {newest_first} LIMIT :most
"""


class SnapshotRow(NamedTuple):
    """A memory of a snapshot, as it is stored."""

    id: int
    category: str
    content: str


def latest(conn: Connection, as_of: int | None, most: int) -> list[SnapshotRow]:
    """Return the memories last updated that a prompt may show, now or at `as_of` (microseconds)."""
    conditions = f"{visible(as_of)} AND {not_flagged('memories', is_now=as_of is None)}"
    if as_of is not None:
        conditions += " AND memories.updated_at <= :as_of"  # says no more, but uses an index
    statement = text(_LATEST.format(conditions=conditions, newest_first=newest_first(as_of)))
    return [SnapshotRow(*row) for row in conn.execute(statement, {"as_of": as_of, "most": most})]
