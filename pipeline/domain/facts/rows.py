"""SQL over facts: their states, and the neighbours each is compared with."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.facts.model import Fact, FactState, KnownFact
from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.memory.visibility import VISIBLE, VISIBLE_AT

# A flagged fact waits: it neither replaces another one nor is replaced, until its owner clears it.
_STANDS: Final = f"{VISIBLE} AND {not_flagged('memories')}"

_INSERT = text("""
INSERT INTO facts (memory_id, said_at) SELECT value ->> 0, value ->> 1 FROM json_each(:said)
""")
_PENDING = text(f"""
SELECT facts.memory_id, memories.content, memories.origin, facts.version, facts.said_at
FROM facts JOIN memories ON memories.id = facts.memory_id
WHERE facts.state = 'pending' AND facts.memory_id > :after AND {_STANDS}
ORDER BY facts.memory_id LIMIT :limit
""")
_FIRST_PENDING = text(f"""
SELECT facts.said_at FROM facts JOIN memories ON memories.id = facts.memory_id
WHERE facts.state = 'pending' AND {_STANDS} ORDER BY facts.memory_id LIMIT 1
""")
_ANY_UNJUDGED = text(f"""
SELECT 1 FROM facts JOIN memories ON memories.id = facts.memory_id
WHERE facts.state = 'settled' AND (facts.judged_to IS NULL OR facts.judged_to < facts.said_at)
  AND {_STANDS} LIMIT 1
""")
_UNCHANGED = text(f"""
SELECT facts.memory_id FROM json_each(:read) AS read
JOIN facts ON facts.memory_id = read.value ->> 0
JOIN memories ON memories.id = facts.memory_id
WHERE facts.version = read.value ->> 1 AND facts.state = :state AND {VISIBLE}
""")
_SETTLED_WITH = text(f"""
SELECT facts.memory_id, facts.fingerprint, memories.origin, facts.version, facts.said_at
FROM json_each(:fingerprints) AS wanted JOIN facts ON facts.fingerprint = wanted.value
JOIN memories ON memories.id = facts.memory_id
WHERE facts.state = 'settled' AND {_STANDS}
ORDER BY facts.memory_id
""")
_SETTLE = text("""
UPDATE facts SET state = 'settled', fingerprint = wanted.value ->> 1, version = version + 1
FROM json_each(:settled) AS wanted
WHERE facts.memory_id = wanted.value ->> 0 AND facts.state = 'pending'
""")
_RETIRE = text("""
UPDATE facts SET state = 'retired', retired_by = pair.value ->> 1, version = version + 1,
  fingerprint = coalesce(pair.value ->> 2, fingerprint)
FROM json_each(:pairs) AS pair
WHERE facts.memory_id = pair.value ->> 0 AND facts.state <> 'retired'
""")
_SET_SAID_AT = text("""
UPDATE facts SET said_at = said.value ->> 1, version = version + 1
FROM json_each(:said) AS said
WHERE facts.memory_id = said.value ->> 0 AND facts.state = 'settled'
""")
_JUDGED = text("UPDATE facts SET judged_to = :said_at WHERE memory_id = :id")
_JUDGED_IN_SHADOW = text("UPDATE facts SET shadow_judged_to = :said_at WHERE memory_id = :id")
_UNJUDGED_THAT = f"""
SELECT facts.memory_id, memories.content, memories.origin, facts.version, facts.said_at,
  {{judged_to}} AS judged_to
FROM facts JOIN memories ON memories.id = facts.memory_id
WHERE facts.state = 'settled' AND (facts.judged_to IS NULL OR facts.judged_to < facts.said_at)
  AND {{also}} AND facts.memory_id > :after AND {_STANDS}
ORDER BY facts.memory_id LIMIT :limit
"""
_UNJUDGED = text(_UNJUDGED_THAT.format(judged_to="facts.judged_to", also="true"))
# What counts was compared too; the shadow's own progress is read nowhere else.
_UNJUDGED_IN_SHADOW = text(
    _UNJUDGED_THAT.format(
        judged_to="max(coalesce(facts.judged_to, -1), coalesce(facts.shadow_judged_to, -1))",
        also="(facts.shadow_judged_to IS NULL OR facts.shadow_judged_to < facts.said_at)",
    )
)
_COUNT_UNJUDGED = text(f"""
SELECT count(*) FROM facts JOIN memories ON memories.id = facts.memory_id
WHERE (facts.state = 'pending' OR (facts.state = 'settled'
    AND (facts.judged_to IS NULL OR facts.judged_to < facts.said_at))) AND {_STANDS}
""")
# Both arms are bounded: what shares most words, and the newest that share an entity. Pairs that a
# person put back side by side are never compared again.
_NEIGHBOURS = text(f"""
WITH near (id) AS (
  SELECT * FROM (SELECT memories_fts.rowid FROM memories_fts
    JOIN facts ON facts.memory_id = memories_fts.rowid AND facts.state = 'settled'
    WHERE memories_fts MATCH :words ORDER BY memories_fts.rank, memories_fts.rowid LIMIT :limit)
  UNION
  SELECT * FROM (SELECT DISTINCT src_id FROM memory_edges
    JOIN facts ON facts.memory_id = src_id AND facts.state = 'settled'
    WHERE src_table = 'memories' AND (dst_entity_kind, dst_entity_key) IN (
      SELECT value ->> 0, value ->> 1 FROM json_each(:entities))
    ORDER BY src_id DESC LIMIT :limit)
)
SELECT facts.memory_id, memories.content, memories.origin, facts.version, facts.said_at
FROM near JOIN facts ON facts.memory_id = near.id JOIN memories ON memories.id = near.id
WHERE facts.memory_id <> :id AND facts.state = 'settled' AND {_STANDS}
  AND facts.said_at < :said_at AND facts.said_at > :judged_to
  AND NOT EXISTS (
    SELECT 1 FROM memory_consolidation_events AS undone WHERE undone.kind = 'undone'
      AND ((undone.memory_id = :id AND undone.other_id = facts.memory_id)
        OR (undone.memory_id = facts.memory_id AND undone.other_id = :id)))
ORDER BY facts.memory_id
""")
_FACT: Final = Codec(Fact, names={"id": "memory_id"}, moments=("known_at", "said_at"))
_KNOWN_FACT: Final = Codec(KnownFact, names={"id": "memory_id"}, moments=("known_at",))
_LIST = text(f"""
SELECT {_FACT.columns} FROM facts JOIN memories ON memories.id = facts.memory_id
WHERE memories.deleted_at IS NULL AND (:state IS NULL OR facts.state = :state)
ORDER BY memories.known_at DESC, facts.memory_id DESC LIMIT :limit
""")
_VISIBLE = f"""
SELECT {_KNOWN_FACT.columns}
FROM facts JOIN memories ON memories.id = facts.memory_id
WHERE {{seen}} ORDER BY memories.known_at DESC, facts.memory_id DESC LIMIT :limit
"""
_VISIBLE_NOW = text(_VISIBLE.format(seen=VISIBLE))
_VISIBLE_THEN = text(_VISIBLE.format(seen=VISIBLE_AT))
_ONE = text(f"""
SELECT {_FACT.columns} FROM facts JOIN memories ON memories.id = facts.memory_id
WHERE facts.memory_id = :id AND memories.deleted_at IS NULL
""")
_RESTATEMENTS = text("""
SELECT max(said_at) FROM (
  SELECT iif(source = 'chat_extracted', ifnull(occurred_at, known_at), known_at) AS said_at
  FROM memories WHERE id = :id
  UNION ALL SELECT said_at FROM facts WHERE retired_by = :id AND memory_id > :id)
""")
_REVIVE = text("""
UPDATE facts SET state = 'settled', retired_by = NULL, version = version + 1
WHERE memory_id = :id AND state = 'retired' AND version = :version
""")


@dataclass(frozen=True, slots=True)
class FactVersion:
    """A fact as consolidation reads it: text, origin and version.

    Args:
        said_at: when it was last stated; microseconds.
        judged_to: up to where in that time it was compared; None before the first time.
    """

    id: int
    content: str
    origin: str
    version: int
    said_at: int
    judged_to: int | None = None


@dataclass(frozen=True, slots=True)
class SettledFact:
    """A settled fact that can replace a restatement."""

    id: int
    fingerprint: str
    origin: str
    version: int
    said_at: int


def insert(conn: Connection, said: Sequence[tuple[int, int]]) -> None:
    """Make memories pending facts: (id, when it was said; microseconds)."""
    conn.execute(_INSERT, {"said": json.dumps(said)})


def pending(conn: Connection, after: int, limit: int) -> list[FactVersion]:
    """Return pending facts after an id, oldest first."""
    return [FactVersion(*row) for row in conn.execute(_PENDING, {"after": after, "limit": limit})]


def first_pending(conn: Connection) -> int | None:
    """Return when the oldest pending fact was stated (microseconds); None if none is pending."""
    said_at: int | None = conn.execute(_FIRST_PENDING).scalar()
    return said_at


def has_unjudged(conn: Connection) -> bool:
    """Return whether any settled fact was stated since it was last compared."""
    return conn.execute(_ANY_UNJUDGED).first() is not None


def unchanged(conn: Connection, read: Iterable[tuple[int, int]], state: FactState) -> set[int]:
    """Return those of the facts (id, version) that are as they were read."""
    values = {"read": json.dumps(list(read)), "state": state}
    return set(conn.execute(_UNCHANGED, values).scalars())


def settled_with(conn: Connection, fingerprints: Iterable[str]) -> list[SettledFact]:
    """Return the settled facts with one of these fingerprints, oldest first."""
    values = {"fingerprints": json.dumps(list(fingerprints))}
    return [SettledFact(*row) for row in conn.execute(_SETTLED_WITH, values)]


def settle(conn: Connection, settled: Sequence[tuple[int, str]]) -> None:
    """Settle pending facts (id, fingerprint)."""
    conn.execute(_SETTLE, {"settled": json.dumps(settled)})


def retire(conn: Connection, pairs: Sequence[tuple[int, int, str | None]]) -> None:
    """Retire facts: (id, id of the one that replaces it, its fingerprint if it was pending)."""
    conn.execute(_RETIRE, {"pairs": json.dumps(pairs)})


def set_said_at(conn: Connection, said: Sequence[tuple[int, int]]) -> None:
    """Set when settled facts (id, microseconds) were last stated."""
    conn.execute(_SET_SAID_AT, {"said": json.dumps(said)})


def judged(conn: Connection, fact_id: int, said_at: int, *, in_shadow: bool = False) -> None:
    """Note that a fact was compared with everything stated until then, or only in the shadow."""
    note = _JUDGED_IN_SHADOW if in_shadow else _JUDGED
    conn.execute(note, {"id": fact_id, "said_at": said_at})


def unjudged(
    conn: Connection, after: int, limit: int, *, in_shadow: bool = False
) -> list[FactVersion]:
    """Return settled facts after an id that were stated since they were last compared.

    Args:
        in_shadow: leave out facts that the shadow has compared as well.
    """
    query = _UNJUDGED_IN_SHADOW if in_shadow else _UNJUDGED
    return [FactVersion(*row) for row in conn.execute(query, {"after": after, "limit": limit})]


def count_unjudged(conn: Connection) -> int:
    """Return how many facts wait to be compared with those stated before them."""
    return int(conn.execute(_COUNT_UNJUDGED).scalar_one())


def neighbours(
    conn: Connection, fact: FactVersion, words: str, entities: Sequence[tuple[str, str]], limit: int
) -> list[FactVersion]:
    """Return settled facts last said before this one and not yet compared with it.

    Args:
        words: an expression of the words index.
        entities: (kind, key).
        limit: most that share words, and most that share an entity; count.
    """
    values = {
        "id": fact.id,
        "said_at": fact.said_at,
        "judged_to": -1 if fact.judged_to is None else fact.judged_to,
        "words": words,
        "entities": json.dumps(entities),
        "limit": limit,
    }
    return [FactVersion(*row) for row in conn.execute(_NEIGHBOURS, values)]


def last_said(conn: Connection, fact_id: int) -> int:
    """Return when a fact or one of its restatements was last stated; microseconds."""
    said_at: int = conn.execute(_RESTATEMENTS, {"id": fact_id}).scalar_one()
    return said_at


def revive(conn: Connection, fact_id: int, version: int) -> bool:
    """Let a retired fact stand again; False if it changed since."""
    return conn.execute(_REVIVE, {"id": fact_id, "version": version}).rowcount == 1


def find(conn: Connection, fact_id: int) -> Fact | None:
    """Return a fact whose memory is not deleted."""
    row = conn.execute(_ONE, {"id": fact_id}).one_or_none()
    return None if row is None else _FACT.read(row)


def listed(conn: Connection, state: FactState | None, limit: int) -> list[Fact]:
    """Return facts, last known first, the retired ones as well."""
    return [_FACT.read(row) for row in conn.execute(_LIST, {"state": state, "limit": limit})]


def visible(conn: Connection, limit: int, as_of: int | None) -> list[KnownFact]:
    """Return the facts readers see, or saw at a moment (microseconds), last known first."""
    query = _VISIBLE_NOW if as_of is None else _VISIBLE_THEN
    values = {"limit": limit} if as_of is None else {"limit": limit, "as_of": as_of}
    return [_KNOWN_FACT.read(row) for row in conn.execute(query, values)]
