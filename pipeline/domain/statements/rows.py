"""SQL over statements of chats, and over what is remembered of the user."""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.visibility import VISIBLE
from afterword.pipeline.domain.statements.known import KnownText
from afterword.pipeline.domain.statements.model import FoundStatement, StatementOutcome

_MOST_KNOWN: Final = 20_000
"""Memories that statements are compared with, the newest."""

_IS_GONE: Final = """(memories.deleted_at IS NOT NULL
  OR memories.superseded_by IN (SELECT id FROM memories AS instead
    WHERE instead.source IN ('user_manual', 'user_explicit') OR instead.origin = 'owner'))"""
# What was derived of a deleted memory and is stale is neither visible nor its owner's decision.
_KNOWN: Final = text(f"""
SELECT memories.id, memories.content, {VISIBLE} AS is_visible,
  memories.category = 'fact' AS is_fact,
  memories.source = 'inferred' AND memories.category = 'personalization' AS is_ours
FROM memories
WHERE (memories.category = 'personalization' AND ({VISIBLE} OR {_IS_GONE}))
  OR (memories.category IN ('preference', 'instruction') AND {VISIBLE})
  OR (memories.category = 'fact' AND memories.type IS NULL AND memories.deleted_at IS NOT NULL)
ORDER BY memories.id DESC LIMIT {_MOST_KNOWN}
""")
_DELETED: Final = text("""
SELECT quote, kind = 'fact' FROM chat_statements
WHERE outcome = 'deleted' AND memory_id IS NULL ORDER BY id DESC
""")
_ADD: Final = text("""
INSERT INTO chat_statements
  (turn_id, memory_id, kind, quote, fingerprint, outcome, found_by, found_at)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
  value ->> 7
FROM json_each(:rows) WHERE true ON CONFLICT DO NOTHING
""")
_MESSAGES: Final = text("""
SELECT id, message FROM turns WHERE id IN (SELECT value FROM json_each(:ids))
""")
_TURNS_OF: Final = text("""
SELECT turns.uid, chat_statements.outcome FROM chat_statements
JOIN turns ON turns.id = chat_statements.turn_id
JOIN memories ON memories.id = chat_statements.memory_id
WHERE memories.id = :key OR memories.uid = :key
ORDER BY chat_statements.id
""")


class StatementRow(NamedTuple):
    """A row of `chat_statements`: what was said in which turn, and what became of it."""

    turn_id: int
    memory_id: int | None
    kind: str
    quote: str
    fingerprint: str
    outcome: StatementOutcome
    found_by: str
    found_at: int


def known_texts(conn: Connection) -> list[KnownText]:
    """Return what statements are compared with: what stands, and what its owner deleted."""
    known = [
        KnownText(
            row.id,
            row.content,
            "visible" if row.is_visible else "gone",
            is_fact=bool(row.is_fact),
            is_ours=bool(row.is_ours),
        )
        for row in conn.execute(_KNOWN)
    ]
    purged = [
        KnownText(None, quote, "gone", is_fact=bool(is_fact), is_ours=False)
        for quote, is_fact in conn.execute(_DELETED)
    ]
    return known + purged


def still_said(conn: Connection, statements: Sequence[FoundStatement]) -> list[FoundStatement]:
    """Return the statements whose turn has its words still: they may be forgotten meanwhile."""
    ids = json.dumps(sorted({found.turn.id for found in statements}))
    messages = {row.id: row.message for row in conn.execute(_MESSAGES, {"ids": ids})}
    return [found for found in statements if messages.get(found.turn.id) == found.turn.message]


def add_statements(conn: Connection, statements: Sequence[StatementRow]) -> None:
    """Note in which turns something was said; repeated, it changes nothing."""
    if statements:
        conn.execute(_ADD, {"rows": json.dumps(statements, ensure_ascii=False)})


def turns_of(conn: Connection, memory: str | int) -> list[tuple[str, str]]:
    """Return the turns (uid) in which a memory was said, and the outcome there, in order."""
    return [(row[0], row[1]) for row in conn.execute(_TURNS_OF, {"key": memory})]
