"""The rebuild of memories about the user out of chats that ended (R3's `rebuildMemories`)."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.rebuilds import rows
from afterword.pipeline.domain.rebuilds.model import Cursor, PreparedRebuild, RebuildState
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.sessions import ended_rows
from afterword.pipeline.domain.statements.answer_form import READ_CHATS_TASK
from afterword.pipeline.domain.statements.batch import next_batch
from afterword.pipeline.domain.statements.by_model import read_by_model
from afterword.pipeline.domain.statements.by_rules import read_by_rules
from afterword.pipeline.domain.statements.keep import keep_statements
from afterword.pipeline.domain.statements.model import ChatReading, TurnBatch
from afterword.pipeline.gateway.llm import DeclinedError
from afterword.pipeline.settings import Settings

LAST_CHAT: Final = "last_indexed_chat_id"
"""The cursor, as R3 names it: a place in the order in which turns ended."""

_WRITTEN: Final = {
    "personalization": "memories about you",
    "fact": "facts",
    "said_again": "said again",
    "replaced": "replaced",
}


def chats_wait(conn: Connection, state: RebuildState, _settings: Settings) -> bool:
    """Return whether a turn ended since the last run, or is open and may be abandoned by now."""
    return ended_rows.has_ended_after(conn, _place(conn, state))


def prepare_memories(parts: RebuildParts, state: RebuildState) -> PreparedRebuild:
    """Read the next turns: with a model if one may be asked, else by rules.

    Raises:
        UnavailableError: the model gave no usable answer; nothing is read.
        PostponedError: it may not be asked now.
    """
    by = parts.by
    _pass_abandoned(parts)
    with reading(by.store) as conn:
        batch = next_batch(conn, _place(conn, state))
    found, worded_by, refusal = _read(parts, batch)

    def write(conn: Connection, now: datetime) -> Sequence[str]:
        return _changes(keep_statements(conn, by, found, now))

    return PreparedRebuild(
        write=write,
        cursors={LAST_CHAT: batch.read_to} if batch.turns else {},
        worded_by=worded_by,
        refusal=refusal,
    )


def _read(parts: RebuildParts, batch: TurnBatch) -> tuple[ChatReading, str | None, str | None]:
    """Return what was found, by which model, and why not by it."""
    llm, mode = parts.llm, parts.mode(READ_CHATS_TASK)
    if llm is None or not mode.is_enabled or not batch.texts:
        return read_by_rules(batch), None, None
    try:
        found = read_by_model(batch, llm, parts.by.store.address)
    except DeclinedError as error:
        # It would decline the same turns again, and none after them would ever be read.
        return read_by_rules(batch), None, str(error)
    if not mode.has_effect:
        return read_by_rules(batch), None, None
    return found, llm.model, None


def _pass_abandoned(parts: RebuildParts) -> None:
    with reading(parts.by.store) as conn:
        is_any = ended_rows.has_abandoned(conn, to_micros(parts.by.clock()))
    if is_any:
        with writing(parts.by.store) as conn:
            ended_rows.pass_abandoned(conn, to_micros(parts.by.clock()))


def _place(conn: Connection, state: RebuildState) -> int:
    return rows.cursors(conn, state.name).get(LAST_CHAT, Cursor(LAST_CHAT)).seen


def _changes(counts: Counter[str]) -> list[str]:
    return [f"{words}: {counts[name]}" for name, words in _WRITTEN.items() if counts[name]]
