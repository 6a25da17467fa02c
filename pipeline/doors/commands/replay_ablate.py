"""`afterword replay ablate`: whether following graduated methods was worth it in a replay."""

from typing import Annotated

import typer

from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import Cell, print_line, print_table
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.cli.sentences import print_sentences
from afterword.pipeline.doors.commands.replay_ablate_model import (
    memory_answer,
    print_arms,
    result,
    share,
)
from afterword.pipeline.doors.commands.replay_probe import experiment_llm, last_known
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.replay.ablate import Ablation, GateLine
from afterword.pipeline.operations.replay.ablate import ablate as ablated
from afterword.pipeline.operations.replay.arms import (
    MOST_ASKED,
    MOST_SAMPLES,
    ArmsReport,
    ArmsSettings,
    ask_arms,
    note_arms,
)
from afterword.pipeline.operations.replay.decide import StopError
from afterword.pipeline.operations.replay.recollection import MemoryRules
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.views.words import moment

_COLUMNS = (
    *("gate", "decisions", "voted", "right", "by base", "result", "stretches"),
    *("difference", "verdict", "needed"),
)
_NONE = "-"
_HOW_TO_READ = (
    "right and by base: shares of the voted, those beyond the noise band. result: mean after costs "
    "in σ, each decision at equal risk, ± its standard error. difference: hits above base a "
    "decision, beside those that the gate leaves out."
)


def ablate(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The replay's name.")],
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
        int | None, typer.Option(min=1, max=MOST_ASKED, help="With --model: decisions to ask; 50.")
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_SAMPLES, help="With --model: times of each question; 1."),
    ] = None,
    known_until: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="With --model: last day that it may know."),
    ] = None,
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
        found = ablated(conn, status, seed)
    if not model:
        call.answer({"graduation": found, "memory": None}, lambda: _print(found, None))
        return
    settings = ArmsSettings(
        role,
        limit or ArmsSettings().limit,
        samples or 1,
        found.seed,
        last_known(known_until),
        MemoryRules(call.settings.role_lessons, call.settings.methodology_top_k),
    )
    report, stop = _asked(ctx, call, stores, store, settings)
    answer = {"graduation": found, "memory": memory_answer(report)}
    call.answer(answer, lambda: _print(found, report))
    note_arms(store, report, call.now())
    if stop is not None:
        raise stop


def _asked(
    ctx: typer.Context, call: Call, stores: Stores, store: Store, settings: ArmsSettings
) -> tuple[ArmsReport, StopError | None]:
    llm = experiment_llm(ctx, call, stores)
    with progress() as told:
        return ask_arms(store, llm, settings, lambda done, n: told("questions", done, n))


def _print(found: Ablation, report: ArmsReport | None) -> None:
    figure = f"The figure, fixed before any replay: {found.primary_figure}"
    verdicts = [found.words] if report is None else [found.words, report.words]
    print_sentences([*verdicts, _read(found), figure], "")
    print_table(_COLUMNS, [_row(one) for one in found.gates], spare=("voted", "needed"))
    print_sentences([_HOW_TO_READ], "")
    if report is not None:
        print_arms(report)
    print_line("What this cannot tell:")
    print_sentences(f"- {limit}" for limit in found.limits)


def _read(found: Ablation) -> str:
    """Return what was read: how far the replay is, what graduated, what has no outcome."""
    first = found.first_graduated_at
    since = "" if first is None else f", the first on {moment(first)}"
    return (
        f"replay {found.replay}, {found.state}, until {moment(found.until)}: {found.methods:,} "
        f"graduated by the gate {found.gate}{since}; {found.decisions:,} decisions with an "
        f"outcome, {found.waiting:,} without one yet, {found.unmeasured:,} without a price."
    )


def _row(one: GateLine) -> tuple[Cell, ...]:
    pairs = one.pairs
    return (
        one.gate,
        one.decisions,
        one.voted,
        share(one.hit_rate),
        share(one.base_rate),
        result(one.result, one.result_error),
        _NONE if pairs is None else f"{pairs.stretches:,}",
        _NONE if pairs is None or not pairs.stretches else f"{pairs.difference:+.3f}",
        _NONE if pairs is None else pairs.verdict,
        _NONE if pairs is None or pairs.needed is None else f"{pairs.needed:,}",
    )
