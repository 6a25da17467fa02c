"""SQL over the typed entries a brief is made of."""

import json
from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.flag_rows import flagged_memories
from afterword.pipeline.domain.memory.visibility import HIDDEN_AT, VISIBLE, VISIBLE_AT
from afterword.pipeline.recall.prompts.candidate_rows import (
    SHOWABLE,
    CandidateStatements,
    read_candidates,
)
from afterword.pipeline.recall.prompts.places import IS_STANDING, MOST_COUNTED, Candidates

# Each stream reads an index in its order, so that a brief reads only what it may show.
_STREAM = """
SELECT * FROM (
  SELECT id, category, {standing} AS is_standing, origin, updated_at FROM memories
  WHERE type IS NOT NULL AND (origin = 'web') = {web} AND behavioral = {behavioral} AND {visible}
  ORDER BY updated_at DESC, id DESC LIMIT :most)
"""
_CANDIDATES = {
    when: text(
        "SELECT id, category, is_standing FROM ("
        + " UNION ALL ".join(
            _STREAM.format(web=web, behavioral=behavioral, standing=IS_STANDING, visible=visible)
            for web, behavioral in product((0, 1), (0, 1))
        )
        + ") ORDER BY origin = 'web', updated_at DESC, id DESC"
    )
    for when, visible in SHOWABLE.items()
}
_STANDING = {
    when: text(f"""
SELECT count(*) FROM (
  SELECT 1 FROM memories INDEXED BY memories_brief
  WHERE type IS NOT NULL AND (origin = 'web') = 0 AND behavioral = 1 AND {visible}
  LIMIT {MOST_COUNTED + 1})
""")
    for when, visible in SHOWABLE.items()
}
_COUNT: Final = f"SELECT count(*) FROM memories WHERE type IS NOT NULL AND {VISIBLE}"
# Without reading rows: those known then, by an index, without those that were hidden.
_COUNT_AT: Final = f"""
SELECT count(*) FROM memories INDEXED BY memories_brief
WHERE type IS NOT NULL AND (origin = 'web') IN (0, 1) AND behavioral IN (0, 1)
  AND updated_at <= :as_of AND id NOT IN ({HIDDEN_AT})"""
_FLAGGED_AT: Final = flagged_memories(f"type IS NOT NULL AND {VISIBLE_AT}", is_now=False)
_STATEMENTS: Final = CandidateStatements(
    _CANDIDATES,
    _STANDING,
    {
        "now": text(f"SELECT ({_COUNT}) - {flagged_memories(f'type IS NOT NULL AND {VISIBLE}')}"),
        "still": text(f"SELECT ({_COUNT}) - {_FLAGGED_AT}"),
        "then": text(f"SELECT ({_COUNT_AT}) - {_FLAGGED_AT}"),
    },
)
_READ = text("""
SELECT memories.id, uid, memories.type, content, behavioral, tags, session_id, origin, updated_at
FROM json_each(:ids) AS named
CROSS JOIN memories ON memories.id = named.value ORDER BY named.key
""")


class EntryRow(NamedTuple):
    """A typed entry as it is stored; `tags` is JSON, `updated_at` microseconds."""

    id: int
    uid: str
    type: str
    content: str
    behavioral: int
    tags: str
    session_id: str | None
    origin: str
    updated_at: int

    @property
    def tag_list(self) -> tuple[str, ...]:
        """Return the tags."""
        return tuple(json.loads(self.tags))


def candidates(conn: Connection, as_of: int | None, most: int) -> Candidates:
    """Return the entries that a brief may show, those from the web last, the newest first.

    Args:
        as_of: those visible at a moment (microseconds).
        most: entries of each sort: behavioral or not, from the web or not.
    """
    return read_candidates(conn, _STATEMENTS, as_of, most)


def read(conn: Connection, ids: Sequence[int]) -> list[EntryRow]:
    """Return entries by id, in the order given."""
    return [EntryRow(*row) for row in conn.execute(_READ, {"ids": json.dumps(ids)})]
