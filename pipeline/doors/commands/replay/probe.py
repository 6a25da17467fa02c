"""`afterword replay probe`: ask past decisions again with what memory tells today."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated

import typer

from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.cli.services import llm_of
from afterword.pipeline.doors.commands.memory.options import memory_name
from afterword.pipeline.doors.commands.replay.options import KnownUntil
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.operations.experiments.decide import MOST_SAMPLES
from afterword.pipeline.operations.experiments.probe import (
    MOST_PROBED,
    ProbeSettings,
    note_probe,
)
from afterword.pipeline.operations.experiments.probe import probe as run_probe
from afterword.pipeline.operations.experiments.recollection import MemoryRules
from afterword.pipeline.views.replay.probe import replay_probe


def probe(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="A replay; the group if missing.")
    ] = "",
    decision: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="This decision; may be repeated.")
    ] = None,
    role: Annotated[str | None, typer.Option(help="Only decisions of this role.")] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=MOST_PROBED, help="The latest wrong decisions.")
    ] = 10,
    samples: Annotated[
        int, typer.Option(min=1, max=MOST_SAMPLES, help="Times that each question is asked.")
    ] = 1,
    known_until: KnownUntil = None,
) -> None:
    """Ask past decisions again as of their moments, without memory and with today's, and show
    whether the answer changes and what it cost. It spends the category `experiment` of the budget.

    Example: afterword replay probe sol-2020 --limit 5 --samples 3
    """
    call = Call(ctx)
    settings = ProbeSettings(
        tuple(map(memory_name, decision or ())),
        role,
        limit,
        samples,
        last_known(known_until),
        MemoryRules(call.settings.role_lessons, call.settings.methodology_top_k),
    )
    stores = call.stores()
    store = _store(call, stores, name)
    llm = experiment_llm(call, stores)
    with progress() as told:
        report, stop = run_probe(store, llm, settings, lambda done, n: told("questions", done, n))
    is_strict = call.settings.role_lessons == "confirmed"
    call.answer(report, lambda: replay_probe(report, is_strict=is_strict))
    note_probe(store, report, call.now())
    if stop is not None:
        raise stop


def last_known(written: str | None) -> datetime | None:
    """Return the end of the last day that a model may know; None if nobody says.

    Raises:
        InvalidInputError: not a day.
    """
    if written is None:
        return None
    try:
        day = date.fromisoformat(written)
        after = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        problem = f"{written!a:.40} is not a day"
        raise InvalidInputError("known_until", problem, "a day such as 2025-06-30") from None
    return after - timedelta(microseconds=1)


def experiment_llm(call: Call, stores: Stores) -> Llm:
    """Return the configured model for an experiment; what its cassette has is not asked again.

    Raises:
        InvalidInputError: none is configured.
    """
    llm = llm_of(call, stores, "experiment", resumes=True)
    if llm is None:
        accepted = "anthropic, or cassette with recorded answers"
        raise InvalidInputError("AFTERWORD_LLM_PROVIDER", "is disabled", accepted)
    return llm


def _store(call: Call, stores: Stores, name: str) -> Store:
    if name and call.named_group is not None:
        raise InvalidInputError("name", "names a replay beside --group", "one of the two")
    return stores.replay(name) if name else stores.group(call.settings.group)
