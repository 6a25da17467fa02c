"""`afterword institution run`: capture runs, list and show them, and answer their ladder."""

from pathlib import Path
from typing import Annotated, Any

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.institution.area import REFLECT_TASK
from afterword.pipeline.domain.institution.capture import capture_run
from afterword.pipeline.domain.institution.checks import CheckedRun, check_run, require_institution
from afterword.pipeline.domain.institution.given import read_run
from afterword.pipeline.domain.institution.model import CapturedRun
from afterword.pipeline.domain.institution.notes import note_run
from afterword.pipeline.domain.institution.read import MAX_RUNS, list_runs, run_story
from afterword.pipeline.domain.institution.reflect import reflect_runs
from afterword.pipeline.domain.memory.checks import check_limit
from afterword.pipeline.domain.memory.visibility import read_moment as checked_read
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.json_lines import read_objects
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf, OnlyAsset, most_shown
from afterword.pipeline.doors.cli.services import switches_of
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.methods.institution import (
    captures_off,
    run_list,
    run_noted,
    run_view,
    runs_captured,
    runs_reflected,
)

MAX_CAPTURED: int = 10_000
"""Runs of one file."""

app = section("Capture runs, list and show them, and answer the questions of their ladder.")

_RunName = Annotated[str, typer.Argument(metavar="RUN", help="Its id, or its number in the list.")]


@app.command()
def capture(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A JSON object a line; - is standard input.")
    ],
) -> None:
    """Capture runs, each with what its roles handed in; while captures are off, write nothing.

    A run: {"run": "r1", "asset": "BTC", "outputs": [{"role": "analyst", "form": "analyst_report",
    "output": {...}}, ...]}, with one output of the form portfolio_decision. In place of "output",
    "reply" has the whole reply of a model, of which the tool call is kept.

    Example: afterword institution run capture runs.jsonl
    """
    call = Call(ctx)
    if not call.settings.institution_learning_enabled:
        call.answer([], captures_off)
        return
    checked = read_objects(file, "runs", MAX_CAPTURED, _checked)
    by, done = call.owner(create=True), list[CapturedRun]()
    for run in checked:
        done.append(capture_run(by, run))
    call.answer(done, lambda: runs_captured(done))


@app.command("ls")
def list_(
    ctx: typer.Context,
    asset: OnlyAsset = None,
    limit: Annotated[int, most_shown("runs", MAX_RUNS)] = 20,
    as_of: AsOf = None,
) -> None:
    """List runs with the answers of their ladder, the latest first.

    Example: afterword institution run ls --asset BTC
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    check_limit(limit, MAX_RUNS)
    with reading(call.store()) as conn:
        checked_read(conn, at)
        runs = list_runs(conn, asset, limit, call.now(), at)
    call.answer(runs, lambda: run_list(runs))


@app.command()
def show(ctx: typer.Context, run: _RunName, as_of: AsOf = None) -> None:
    """Show a run: what its roles handed in, its ladder, its methodologies, and what was said of it.

    Example: afterword institution run show r1
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        checked_read(conn, at)
        story = run_story(conn, run, call.now(), at)
    call.answer(story, lambda: run_view(story))


@app.command()
def reflect(
    ctx: typer.Context,
    run: Annotated[
        str, typer.Argument(metavar="[RUN]", help="Its id or number, with --note.")
    ] = "",
    note: Annotated[str, typer.Option(help="Your own words on a run; they feed nothing.")] = "",
) -> None:
    """Answer what is measured of the ladders of all runs now; or keep your own words on one run.

    Example: afterword institution run reflect r1 --note "too early"
    """
    call = Call(ctx)
    require_institution(call.settings.institution_learning_enabled)
    if bool(run) != bool(note):
        missing = "note" if run else "run"
        raise InvalidInputError(missing, "is missing", "RUN --note TEXT, or neither")
    if run:
        is_new = note_run(call.owner(), run, note)
        call.answer({"run": run, "is_new": is_new}, lambda: run_noted(run, is_new=is_new))
        return
    stores = call.stores()
    mode = switches_of(call, stores).mode(REFLECT_TASK)
    tally = reflect_runs(stores.group(call.settings.group), call.roots.clock, mode)
    answer = {"mode": mode, "looked": tally.looked, "answered": tally.answered}
    call.answer(answer, lambda: runs_reflected(tally, mode))


def _checked(given: dict[str, Any], at: str) -> CheckedRun:
    moment = given.get("decided_at")
    decided_at = read_moment(moment, f"{at}.decided_at")
    return check_run(read_run(given, decided_at, f"{at}."), "owner", f"{at}.")
