"""Write what was found: memories about the user, facts, and in which turn each was said."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.facts.model import CHAT_SOURCE
from afterword.pipeline.domain.facts.record import insert_facts
from afterword.pipeline.domain.memory.model import MemoryIds, NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import insert_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.statements import rows
from afterword.pipeline.domain.statements.known import KnownText, compare
from afterword.pipeline.domain.statements.model import BY_RULES, ChatReading, FoundStatement

REBUILT_SOURCE = "inferred"
"""The provenance of a memory that this rebuild writes (R1)."""


def keep_statements(
    conn: Connection, by: Writer, reading: ChatReading, now: datetime
) -> Counter[str]:
    """Write the statements of a run in a transaction the caller has open.

    What is remembered already gets one more turn; what its owner deleted or replaced is not
    written, nor what was forgotten meanwhile. The owner's own rows are never touched.

    Returns:
        Statements by outcome (`personalization`, `fact`, `said_again`, `replaced`) or reason of
        refusal; count.
    """
    counts = Counter(reading.refused)
    known = rows.known_texts(conn) if reading.statements else []
    at = to_micros(now)
    for found in reading.statements:
        if not rows.is_still_said(conn, found):
            counts["forgotten"] += 1
            continue
        new = KnownText(None, found.text, "visible", found.kind == "fact", is_ours=True)
        match = compare(new, found.kind, known)
        if match.same is not None and match.same.standing == "gone":
            # The row outlives the purge of the memory: the decision of its owner holds.
            rows.add_statement(conn, found, new.print, match.same.id, "deleted", at)
            counts["deleted"] += 1
            continue
        if match.same is not None:
            new.id = match.same.id
            rows.add_statement(conn, found, new.print, new.id, "said_again", at)
            counts["said_again"] += 1
            continue
        new.id = _write(conn, by, found, now).id
        rows.add_statement(conn, found, new.print, new.id, "written", at)
        counts["fact" if new.is_fact else "personalization"] += 1
        for older in match.replaces:
            assert older.id is not None  # it stands
            supersede(conn, by, older.id, new.id, now)
            known.remove(older)
            counts["replaced"] += 1
        if not new.is_fact:
            known.append(new)
    _tell(counts, reading.statements)
    return counts


def _write(conn: Connection, by: Writer, found: FoundStatement, now: datetime) -> MemoryIds:
    memory = NewMemory(
        category="personalization",
        content=found.text,
        metadata={"kind": found.kind, "found_by": found.found_by},
        source=REBUILT_SOURCE,
        origin="import" if found.turn.origin == "import" else "agent",
        occurred_at=from_micros(found.turn.started_at),
    )
    if found.kind == "fact":
        return insert_facts(conn, by, [memory], now, source=CHAT_SOURCE)[0]
    return insert_memories(conn, by, [memory], now, are_audited=False)[0]


def _tell(counts: Counter[str], statements: Sequence[FoundStatement]) -> None:
    found_by = "rules" if all(one.found_by == BY_RULES for one in statements) else "model"
    for result, count in sorted(counts.items()):
        emit("chat.statements_read", result=result, found_by=found_by, statements=count)
