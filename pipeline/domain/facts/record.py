"""Record facts: written at once, consolidated by a job once the agent pauses."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.facts import rows
from afterword.pipeline.domain.facts.area import CONSOLIDATE_FACTS
from afterword.pipeline.domain.facts.model import FACT_SOURCE, MAX_FACT, FactSource
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.domain.memory.model import MemoryIds, NewMemory
from afterword.pipeline.domain.memory.write import insert_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.ids import IdSource

MAX_FACTS: Final = 10_000
"""Facts of one call."""

DEBOUNCE: Final = timedelta(seconds=5)
"""How long after the last fact the pass begins. A stream without such a pause is drained by the
schedule, whose job has a key of its own."""

_JOB_KEY: Final = "recorded"
"""Key of the job a recorded fact adds."""


def record_fact(
    store: Store, new: NewMemory, clock: Clock, ids: IdSource, *, embedding_enabled: bool = False
) -> MemoryIds:
    """Record a fact the agent learned; it is readable at once and consolidated later.

    Args:
        new: its text, tags, session and so on; category, type and source are set by us.

    Raises:
        InvalidInputError: it may not be written, or claims to be the owner's; nothing was.
        UnavailableError: the store cannot be written now.
    """
    return record_facts(store, [new], clock, ids, embedding_enabled=embedding_enabled)[0]


def record_facts(
    store: Store,
    news: Sequence[NewMemory],
    clock: Clock,
    ids: IdSource,
    *,
    embedding_enabled: bool = False,
) -> list[MemoryIds]:
    """Record many facts in one transaction: all of them, or none.

    Args:
        news: up to `MAX_FACTS`.

    Raises:
        InvalidInputError: one may not be written (its index is named); nothing was.
        UnavailableError: the store cannot be written now.
    """
    if len(news) > MAX_FACTS:
        raise InvalidInputError("facts", f"{len(news)} at once", f"{MAX_FACTS} in one call")
    by = Writer(store, clock, ids, "agent", embeds=embedding_enabled)
    with writing(store) as conn:
        return insert_facts(conn, by, news, clock())


def insert_facts(
    conn: Connection,
    by: Writer,
    news: Sequence[NewMemory],
    now: datetime,
    *,
    source: FactSource = FACT_SOURCE,
) -> list[MemoryIds]:
    """Record facts in a transaction the caller has open: rows, audit lines and the job.

    Args:
        source: one that was stated in a chat was stated when it occurred, and has no audit line, as
            what rebuilds write (R3).

    Raises:
        InvalidInputError: one may not be written (its index is named); let it roll back.
    """
    check_facts(news)
    facts = [replace(new, category="fact", type=None, source=source) for new in news]
    is_of_agent = source == FACT_SOURCE
    written = insert_memories(conn, by, facts, now, as_facts=True, are_audited=is_of_agent)
    moments = [now if is_of_agent or new.occurred_at is None else new.occurred_at for new in news]
    said = zip((row.id for row in written), map(to_micros, moments), strict=True)
    rows.insert(conn, list(said))
    if written:
        # Each fact moves the job's time: one pass for a burst of facts.
        add(conn, CONSOLIDATE_FACTS, {}, now, key=_JOB_KEY, run_at=now + DEBOUNCE, debounce=True)
        emit("fact.recorded", facts=len(written), first=written[0].id)
    return written


def check_facts(news: Sequence[NewMemory]) -> None:
    """Refuse facts that may not be recorded, before a store is opened for writing.

    Raises:
        InvalidInputError: the first that is empty or too long.
    """
    for index, new in enumerate(news):
        at = "" if len(news) == 1 else f"facts[{index}]."
        check_text(new.content, MAX_FACT, f"{at}content")
