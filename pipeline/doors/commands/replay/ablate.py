"""`afterword replay ablate`: whether following graduated methods was worth it in a replay."""

from dataclasses import fields
from typing import Annotated, Any

import typer

from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.replay.options import KnownUntil, ReplayName
from afterword.pipeline.doors.commands.replay.probe import experiment_llm, last_known
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.experiments.ablate import Ablation, GateLine
from afterword.pipeline.operations.experiments.ablate import ablate as ablated
from afterword.pipeline.operations.experiments.arms import (
    MOST_DECISIONS_ASKED,
    ArmsReport,
    ArmsSettings,
    ask_arms,
    note_arms,
)
from afterword.pipeline.operations.experiments.decide import MOST_SAMPLES, StopError
from afterword.pipeline.operations.experiments.recollection import MemoryRules
from afterword.pipeline.operations.replay.model import ReplaySettings
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.views.replay.ablate import (
    graduation_limits,
    graduation_verdict,
    replay_ablation,
)
from afterword.pipeline.views.replay.arms import memory_words


def ablate(
    ctx: typer.Context,
    name: ReplayName,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Of the random gate and of sham memory; that of the replay."),
    ] = None,
    model: Annotated[
        bool, typer.Option("--model", help="Ask the configured model too: does memory help it?")
    ] = False,
    role: Annotated[
        str | None, typer.Option(help="With --model: only decisions of this role.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_DECISIONS_ASKED, help="With --model: decisions to ask; 50."),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_SAMPLES, help="With --model: times of each question; 1."),
    ] = None,
    known_until: KnownUntil = None,
) -> None:
    """Say whether decisions that cite graduated methods were better than the others beside them.

    The same decisions are read under four gates: all, graduated, random of equal size, flipped.
    With --model each is asked again without memory, with it, and with sham memory of equal form;
    that spends the category `experiment`, and AFTERWORD_LLM_CASSETTE keeps the answers.

    Example: afterword replay ablate sol
    """
    call = Call(ctx)
    given = {"role": role, "limit": limit, "samples": samples, "known_until": known_until}
    for option, value in given.items():
        if value is not None and not model:
            raise InvalidInputError(option, "is about a model", "--model beside it")
    stores = call.stores()
    store = stores.replay(name)
    status = status_of(store)
    with reading(store) as conn:
        ablation = ablated(conn, status, seed)
    graduation = _graduation_answer(ablation, status.settings)
    if not model:
        answer = {"graduation": graduation, "memory": None}
        call.answer(answer, lambda: replay_ablation(ablation, status.settings))
        return
    settings = ArmsSettings(
        role,
        limit or ArmsSettings().limit,
        samples or 1,
        ablation.seed,
        last_known(known_until),
        MemoryRules(call.settings.role_lessons, call.settings.methodology_top_k),
    )
    report, stop = _asked(call, stores, store, settings)
    answer = {"graduation": graduation, "memory": _memory_answer(report)}
    call.answer(answer, lambda: replay_ablation(ablation, status.settings, report))
    note_arms(store, report, call.now())
    if stop is not None:
        raise stop


def _asked(
    call: Call, stores: Stores, store: Store, settings: ArmsSettings
) -> tuple[ArmsReport, StopError | None]:
    llm = experiment_llm(call, stores)
    with progress() as told:
        return ask_arms(store, llm, settings, lambda done, n: told("questions", done, n))


def _graduation_answer(ablation: Ablation, settings: ReplaySettings) -> dict[str, Any]:
    """Return an ablation for `--json`, with its sentences."""
    limits = tuple(graduation_limits(ablation, settings))
    gates = [_gate_answer(line) for line in ablation.gates]
    words = {"words": graduation_verdict(ablation), "limits": limits}
    return _by_name(ablation) | {"gates": gates} | words


def _gate_answer(line: GateLine) -> dict[str, Any]:
    """Return a gate for `--json`, with the numbers of its pairs by name."""
    answer, pairs = _by_name(line), line.pairs
    above_all = answer.pop("above_all")
    if pairs is not None:
        numbers = pairs._asdict()
        named = {"stretches": numbers.pop("n"), "difference": numbers.pop("mean")}
        answer["pairs"] = named | numbers | {"above_all": above_all}
    return answer


def _memory_answer(report: ArmsReport) -> dict[str, Any]:
    """Return a report for `--json`, with its sentence and the numbers of each verdict by name."""
    return _by_name(report) | {
        "words": memory_words(report),
        "verdict": report.verdict._asdict(),
        "beside": {name: verdict._asdict() for name, verdict in report.beside.items()},
    }


def _by_name(value: Ablation | ArmsReport | GateLine) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}
