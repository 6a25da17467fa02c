"""Find a rule for the agent that is stored twice: the same words in the same category."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.model import BEHAVIORAL, MemoryIds
from afterword.pipeline.domain.memory.visibility import VISIBLE

MOST: Final = 1_000
"""Rows compared, the last of the category; the writer waits for it, up to a millisecond."""

_WORDS: Final = "lower(rtrim(content, ' .!'))"
_SAME: Final = text(f"""
SELECT id, uid FROM (
  SELECT id, uid, content FROM memories INDEXED BY memories_category
  WHERE category = :category AND id <> :id AND {VISIBLE}
  ORDER BY updated_at DESC, id DESC LIMIT {MOST}
)
WHERE {_WORDS} = (SELECT {_WORDS} FROM memories WHERE id = :id)
ORDER BY id LIMIT 1
""")


def same_words(conn: Connection, written: MemoryIds, category: str) -> MemoryIds | None:
    """Return a visible memory that says the same as one just written; None if there is none.

    Only what influences how the agent acts is compared: facts have a layer of their own, and the
    rest may repeat.
    """
    if category not in BEHAVIORAL:
        return None
    found = conn.execute(_SAME, {"id": written.id, "category": category}).one_or_none()
    return None if found is None else MemoryIds(found.id, found.uid)
