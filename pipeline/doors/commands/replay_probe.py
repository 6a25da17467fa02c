"""`afterword replay probe`: ask past decisions again with what memory tells today."""

from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

import typer

from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.names import memory_name
from afterword.pipeline.doors.cli.output import print_line, print_table
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.budget.amounts import usd
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.llm.build import build_llm
from afterword.pipeline.operations.replay.decide import ArmAnswer
from afterword.pipeline.operations.replay.probe import (
    MOST_PROBED,
    MOST_SAMPLES,
    NOTHING_TOLD,
    ProbedDecision,
    ProbeReport,
    ProbeSettings,
    note_probe,
)
from afterword.pipeline.operations.replay.probe import probe as run_probe
from afterword.pipeline.operations.replay.recollection import MemoryRules
from afterword.pipeline.views.words import moment

_COLUMNS = ("decision", "decided", "asset", "then", "without", "with memory", "answer", "USD")


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
    known_until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Last day that the model may know.")
    ] = None,
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
    llm = experiment_llm(ctx, call, stores)
    with progress() as told:
        report, stop = run_probe(store, llm, settings, lambda done, n: told("questions", done, n))
    is_strict = call.settings.role_lessons == "confirmed"
    call.answer(report, lambda: _print(report, is_strict=is_strict))
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


def experiment_llm(ctx: typer.Context, call: Call, stores: Stores) -> Llm:
    """Return the configured model for an experiment; what its cassette has is not asked again.

    Raises:
        InvalidInputError: none is configured.
    """
    settings, clock = call.settings, call.roots.clock
    budget = Budget(stores.instance, caps_of(settings), clock, call.roots.ids)
    llm = build_llm(settings, stores.instance, budget, clock, "experiment", resumes=True)
    if llm is None:
        accepted = "anthropic, or cassette with recorded answers"
        raise InvalidInputError("AFTERWORD_LLM_PROVIDER", "is disabled", accepted)
    return ctx.with_resource(closing(llm))


def _store(call: Call, stores: Stores, name: str) -> Store:
    if name and call.named_group is not None:
        raise InvalidInputError("name", "names a replay beside --group", "one of the two")
    return stores.replay(name) if name else stores.group(call.settings.group)


def _print(report: ProbeReport, *, is_strict: bool) -> None:
    asked = [one for one in report.decisions if not one.skipped]
    rows = [_row(one) for one in asked]
    print_table(_COLUMNS, rows, empty="no decision was asked again", spare=("decided",))
    for one in report.decisions:
        if one.skipped:
            print_line(f"decision {one.id} was not asked: {one.skipped}")
    if is_strict and any(one.skipped == NOTHING_TOLD for one in report.decisions):
        print_line("with AFTERWORD_ROLE_LESSONS=all, memory tells hints and single cases too")
    for one in asked:
        _print_words(one)
    undecided = report.asked - report.changed - report.unchanged
    if report.asked:
        print_line(
            f"{report.asked:,} asked again by {report.model}: {report.changed:,} changed, "
            f"{report.unchanged:,} unchanged" + (f", {undecided:,} undecided" if undecided else "")
        )
        tokens = f"{report.input_tokens:,} tokens read, {report.output_tokens:,} written"
        recorded = f"; {report.recorded:,} answers were recorded before" if report.recorded else ""
        print_line(f"cost: {usd(report.cost_micro_usd)} USD, {tokens}{recorded}")
    if report.failed:
        print_line(f"{report.failed:,} questions got no usable answer")
    for sentence in report.says:
        print_line(sentence)
    if report.left:
        when = "" if report.reopens_at is None else f"; open again at {moment(report.reopens_at)}"
        print_line(f"{report.left:,} questions were not answered{when}")


def _row(one: ProbedDecision) -> tuple[str | int, ...]:
    cost = sum(each.cost_micro_usd for each in (*one.without, *one.with_memory))
    words = {True: "changed", False: "unchanged", None: "undecided"}
    return (
        str(one.id),
        moment(one.decided_at) + (" (may be known)" if one.may_be_known else ""),
        one.asset or "-",
        f"{one.direction}, {one.outcome or 'open'}",
        _directions(one.without),
        _directions(one.with_memory),
        words[one.is_changed] if one.with_memory else "not asked",
        usd(cost),
    )


def _directions(answers: tuple[ArmAnswer, ...]) -> str:
    """Return answers in their order: `long 0.60, short 0.55`."""
    told = (
        "no answer" if one.direction is None else f"{one.direction} {one.confidence:.2f}"
        for one in answers
    )
    return ", ".join(told) or "-"


def _print_words(one: ProbedDecision) -> None:
    """Print the first reason of each side."""
    for side, answers in (("without", one.without), ("with memory", one.with_memory)):
        for each in answers[:1]:
            print_line(f"{one.id} {side}: {each.reason or each.problem}")
