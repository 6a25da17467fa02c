"""SQL over the memories of a snapshot."""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.flag_rows import flagged_memories
from afterword.pipeline.domain.memory.model import BEHAVIORAL, MEMORY_CATEGORIES
from afterword.pipeline.domain.memory.visibility import HIDDEN_AT, VISIBLE, VISIBLE_AT
from afterword.pipeline.recall.prompts.candidate_rows import (
    GONE_SINCE,
    IN_INDEX,
    SHOWABLE,
    WHENS,
    CandidateStatements,
    When,
    read_candidates,
)
from afterword.pipeline.recall.prompts.places import IS_STANDING, MOST_COUNTED, Candidates

_FIELDS: Final = f"id, category, {IS_STANDING} AS is_standing"
_NEWEST: Final = "ORDER BY updated_at DESC, id DESC"


def _candidates(when: When) -> str:
    """Return the statement for the newest rows of each category."""
    # Each category reads an index in its order, so that a snapshot reads only what it may show.
    streams = [
        f"memories INDEXED BY memories_category WHERE category = '{category}' AND {IN_INDEX}"
        for category in MEMORY_CATEGORIES
    ]
    if when == "then":
        streams += [
            f"memories WHERE category = '{category}' AND {GONE_SINCE}"
            for category in MEMORY_CATEGORIES
        ]
    newest = (
        f"SELECT * FROM (SELECT {_FIELDS}, updated_at FROM {stream} AND {SHOWABLE[when]}"
        f" {_NEWEST} LIMIT :most)"
        for stream in streams
    )
    return f"SELECT id, category, is_standing FROM ({' UNION ALL '.join(newest)}) {_NEWEST}"


def _standing(when: When) -> str:
    """Return the statement that counts what stands, up to one more than `MOST_COUNTED`."""
    rules = ", ".join(f"'{category}'" for category in sorted(BEHAVIORAL))
    streams = [f"memories INDEXED BY memories_category WHERE {IN_INDEX}"]
    if when == "then":
        streams.append(f"memories WHERE {GONE_SINCE}")
    rows = " UNION ALL ".join(
        f"SELECT 1 FROM {stream} AND category IN ({rules}) AND {IS_STANDING} AND {SHOWABLE[when]}"
        for stream in streams
    )
    return f"SELECT count(*) FROM ({rows} LIMIT {MOST_COUNTED + 1})"


_COUNT: Final = f"SELECT count(*) FROM memories WHERE {VISIBLE}"
_COUNT_AT: Final = (
    f"SELECT count(*) FROM memories WHERE known_at <= :as_of AND id NOT IN ({HIDDEN_AT})"
)
_FLAGGED_AT: Final = flagged_memories(VISIBLE_AT, is_now=False)
_STATEMENTS: Final = CandidateStatements(
    {when: text(_candidates(when)) for when in WHENS},
    {when: text(_standing(when)) for when in WHENS},
    {
        "now": text(f"SELECT ({_COUNT}) - {flagged_memories(VISIBLE)}"),
        "still": text(f"SELECT ({_COUNT}) - {_FLAGGED_AT}"),
        "then": text(f"SELECT ({_COUNT_AT}) - {_FLAGGED_AT}"),
    },
)
_READ: Final = text("""
SELECT memories.id, category, content FROM json_each(:ids) AS named
CROSS JOIN memories ON memories.id = named.value ORDER BY named.key
""")


class SnapshotRow(NamedTuple):
    """A memory of a snapshot, as it is stored."""

    id: int
    category: str
    content: str


def candidates(conn: Connection, as_of: int | None, most: int) -> Candidates:
    """Return the memories that a snapshot may show, now or at `as_of` (microseconds).

    Args:
        most: of each category, newest first.
    """
    return read_candidates(conn, _STATEMENTS, as_of, most)


def read(conn: Connection, ids: Sequence[int]) -> list[SnapshotRow]:
    """Return memories by id, in the order given."""
    return [SnapshotRow(*row) for row in conn.execute(_READ, {"ids": json.dumps(ids)})]
