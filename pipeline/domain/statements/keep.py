"""Write what was found: memories about the user, facts, and in which turn each was said."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.facts.model import CHAT_SOURCE
from afterword.pipeline.domain.facts.record import insert_facts
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.write import insert_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.statements import rows
from afterword.pipeline.domain.statements.known import KnownText, KnownTexts, compare
from afterword.pipeline.domain.statements.model import (
    BY_RULES,
    ChatReading,
    FoundStatement,
    StatementOutcome,
)

REBUILT_SOURCE: Final = "inferred"
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
    said = rows.still_said(conn, reading.statements)
    counts["forgotten"] = len(reading.statements) - len(said)
    known = KnownTexts(rows.known_texts(conn) if said else ())
    decided = [_decide(found, known) for found in said]
    _write(conn, by, [decision for decision in decided if decision.outcome == "written"], now)
    for decision in decided:
        counts[decision.counts_as] += 1
        for older in decision.replaces:
            assert older.memory_id is not None and decision.text.memory_id is not None
            supersede(conn, by, older.memory_id, decision.text.memory_id, now)
            counts["replaced"] += 1
    rows.add_statements(conn, [_row(decision, now) for decision in decided])
    _tell(+counts, reading.statements)
    return +counts


@dataclass(frozen=True, slots=True)
class _Decision:
    """What becomes of a statement.

    Args:
        text: what is remembered of it: the new memory, or the one that stood.
        replaces: older ones that no longer hold.
    """

    found: FoundStatement
    outcome: StatementOutcome
    text: KnownText
    print: str
    replaces: tuple[KnownText, ...] = ()

    @property
    def counts_as(self) -> str:
        if self.outcome != "written":
            return self.outcome
        return "fact" if self.text.is_fact else "personalization"


def _decide(found: FoundStatement, known: KnownTexts) -> _Decision:
    is_fact = found.kind == "fact"
    new = KnownText(None, found.text, "visible", is_fact=is_fact, is_ours=True)
    match = compare(new, found.kind, known)
    if match.same is not None:
        outcome: StatementOutcome = "said_again" if match.same.standing == "visible" else "deleted"
        return _Decision(found, outcome, match.same, new.print)
    for older in match.replaces:
        known.remove(older)
    if not is_fact:
        known.add(new)
    return _Decision(found, "written", new, new.print, match.replaces)


def _write(conn: Connection, by: Writer, decided: Sequence[_Decision], now: datetime) -> None:
    """Write the memories, and note their ids."""
    about_user = [decision for decision in decided if not decision.text.is_fact]
    facts = [decision for decision in decided if decision.text.is_fact]
    news = [_memory(decision.found) for decision in about_user]
    written = insert_memories(conn, by, news, now, are_audited=False) if news else []
    if facts:
        news = [_memory(decision.found) for decision in facts]
        written += insert_facts(conn, by, news, now, source=CHAT_SOURCE)
    for decision, ids in zip([*about_user, *facts], written, strict=True):
        decision.text.memory_id = ids.id


def _memory(found: FoundStatement) -> NewMemory:
    return NewMemory(
        category="personalization",
        content=found.text,
        metadata={"kind": found.kind, "found_by": found.found_by},
        source=REBUILT_SOURCE,
        origin="import" if found.turn.origin == "import" else "agent",
        occurred_at=from_micros(found.turn.started_at),
    )


def _row(decision: _Decision, now: datetime) -> rows.StatementRow:
    found = decision.found
    return rows.StatementRow(
        found.turn.id,
        decision.text.memory_id,
        found.kind,
        found.quote,
        decision.print,
        decision.outcome,
        found.found_by,
        to_micros(now),
    )


def _tell(counts: Counter[str], statements: Sequence[FoundStatement]) -> None:
    found_by = "rules" if all(one.found_by == BY_RULES for one in statements) else "model"
    for result, count in sorted(counts.items()):
        emit("chat.statements_read", result=result, found_by=found_by, statements=count)
