"""SQL over statements of chats, and over what is remembered of the user."""

from typing import Final

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
SELECT :turn_id, :memory_id, :kind, :quote, :fingerprint, :outcome, :found_by, :now
WHERE EXISTS (SELECT 1 FROM turns WHERE id = :turn_id)
ON CONFLICT DO NOTHING
""")
_STILL_SAID: Final = text("SELECT message FROM turns WHERE id = :turn_id")
_TURNS_OF: Final = text("""
SELECT turns.uid, chat_statements.outcome FROM chat_statements
JOIN turns ON turns.id = chat_statements.turn_id
JOIN memories ON memories.id = chat_statements.memory_id
WHERE memories.id = :key OR memories.uid = :key
ORDER BY chat_statements.id
""")


def known_texts(conn: Connection) -> list[KnownText]:
    """Return what statements are compared with: what stands, and what its owner deleted."""
    known = [
        KnownText(
            row.id, row.content, "visible" if row.is_visible else "gone", row.is_fact, row.is_ours
        )
        for row in conn.execute(_KNOWN)
    ]
    purged = [
        KnownText(None, quote, "gone", is_fact, False) for quote, is_fact in conn.execute(_DELETED)
    ]
    return known + purged


def is_still_said(conn: Connection, found: FoundStatement) -> bool:
    """Return whether a turn still has the words: they may be forgotten since they were read."""
    message = conn.execute(_STILL_SAID, {"turn_id": found.turn.id}).scalar()
    return message == found.turn.message


def add_statement(
    conn: Connection,
    found: FoundStatement,
    fingerprint: str,
    memory_id: int | None,
    outcome: StatementOutcome,
    now: int,
) -> None:
    """Note in which turn something was said (microseconds); repeated, it changes nothing."""
    values = {
        "turn_id": found.turn.id,
        "memory_id": memory_id,
        "kind": found.kind,
        "quote": found.quote,
        "fingerprint": fingerprint,
        "outcome": outcome,
        "found_by": found.found_by,
        "now": now,
    }
    conn.execute(_ADD, values)


def turns_of(conn: Connection, memory: str | int) -> list[tuple[str, str]]:
    """Return the turns (uid) in which a memory was said, and the outcome there, in order."""
    return [(row[0], row[1]) for row in conn.execute(_TURNS_OF, {"key": memory})]
