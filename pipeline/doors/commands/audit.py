"""`afterword audit`: how healthy the learning loop is, and how that changed."""

import time
from datetime import timedelta
from typing import Annotated, Final, cast

import typer

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.audit import rows
from afterword.pipeline.domain.audit.busy import Courtesy
from afterword.pipeline.domain.audit.composite import WEIGHTS, weight_scored
from afterword.pipeline.domain.audit.model import (
    DIMENSIONS,
    SEVERITIES,
    AuditFinding,
    AuditReport,
    Severity,
)
from afterword.pipeline.domain.audit.run_audit import MOST_DAYS, WINDOW_DAYS, run_audit
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.output import print_fields, print_line, print_table
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.rules.text.numbers import percent
from afterword.pipeline.views.numbers import sparkline
from afterword.pipeline.views.words import moment

app = section("Score how healthy the learning loop is.")

_NONE_YET: Final = "no audit was run yet: `afterword audit run`"


@app.command("run")
def run(
    ctx: typer.Context,
    window_days: Annotated[
        int, typer.Option(help="Days to look at.", min=1, max=MOST_DAYS)
    ] = WINDOW_DAYS,
) -> None:
    """Audit the learning loop now: score it, and keep the report. Nothing else is changed.

    Example: afterword audit run --window-days 90
    """
    call = Call(ctx)
    if not call.settings.learning_enabled:
        call.answer({"band": "disabled", "why": _OFF}, lambda: print_line(_OFF))
        return
    store = call.store()
    report = run_audit(
        Courtesy(store, call.roots.clock, time.sleep),
        call.roots.ids(),
        "command",
        call.settings.graduation_gate,
        window_days,
    )
    call.answer(report, lambda: _print(report))


@app.command("show")
def show(
    ctx: typer.Context,
    pass_id: Annotated[
        str, typer.Option("--pass", metavar="ID", help="Which one; the last if missing.")
    ] = "",
    latest: Annotated[bool, typer.Option("--latest", help="The last one, as without it.")] = False,
) -> None:
    """Show a report: the score of each dimension, the findings, what may be done.

    Example: afterword audit show
    """
    call = Call(ctx)
    if latest and pass_id:
        raise InvalidInputError("--latest", "is given with --pass", "one of both")
    with reading(call.store()) as conn:
        report = rows.find(conn, pass_id) if pass_id else rows.latest(conn)
    if pass_id and report is None:
        raise NotFoundError(f"--pass: there is no audit {pass_id!r}; see `afterword audit trend`")
    call.answer(report, lambda: print_line(_NONE_YET) if report is None else _print(report))


@app.command("trend")
def trend(
    ctx: typer.Context,
    days: Annotated[int, typer.Option(help="Days to look back.", min=1, max=MOST_DAYS)] = 90,
) -> None:
    """Show how the composite changed, with a sparkline.

    Example: afterword audit trend --days 365
    """
    call = Call(ctx)
    since = to_micros(call.now() - timedelta(days=days))
    with reading(call.store()) as conn:
        found = rows.since(conn, since)
    line = sparkline([one.composite for one in found])
    call.answer(
        {"sparkline": line, "reports": found},
        lambda: _print_trend(found, line, days),
    )


@app.command("findings")
def findings(
    ctx: typer.Context,
    severity: Annotated[
        str, typer.Option(metavar="high|medium|low", help="Only these; all if missing.")
    ] = "",
) -> None:
    """Show the findings of the last audit, the most severe first.

    Example: afterword audit findings --severity high
    """
    call = Call(ctx)
    if severity and severity not in SEVERITIES:
        raise InvalidInputError("--severity", f"unknown: {severity!r}", ", ".join(SEVERITIES))
    with reading(call.store()) as conn:
        report = rows.latest(conn)
    wanted = cast(Severity, severity)
    found = [
        one
        for one in (() if report is None else report.findings)
        if not severity or one.severity == wanted
    ]
    empty = _NONE_YET if report is None else "no findings"
    call.answer(found, lambda: _print_findings(found, empty))


_OFF: Final = "learning is off (AFTERWORD_LEARNING_ENABLED): nothing is audited or written"


def _print(report: AuditReport) -> None:
    verdict = "not enough data to score" if report.composite is None else _score(report.composite)
    weight = weight_scored(report.dimension_scores)
    band = f", {report.band or 'too little for a verdict'}, from {percent(weight)} of the weight"
    print_fields(
        {
            "audit": report.uid,
            "at": moment(report.known_at),
            "window": f"{report.window_days} days",
            "composite": verdict if report.composite is None else f"{verdict}{band}",
        }
    )
    print_table(
        ("dimension", "score", "weight", "used"), [_dimension(one, report) for one in DIMENSIONS]
    )
    _print_findings(list(report.findings), "no findings")
    for action in report.advisory_actions:
        print_line(f"You may: {action}")


def _dimension(name: str, report: AuditReport) -> list[str]:
    score = report.dimension_scores.get(name)  # type: ignore[call-overload]  # a dimension
    used = report.dimension_weights_used.get(name)  # type: ignore[call-overload]
    return [
        name.replace("_", " "),
        "too little data" if score is None else _score(score),
        f"{WEIGHTS[name]:.2f}",  # type: ignore[index]
        "" if used is None else f"{used:.2f}",
    ]


def _print_findings(found: list[AuditFinding], empty: str) -> None:
    lines = [
        [one.severity, one.dimension.replace("_", " "), one.text, ", ".join(one.about)]
        for one in found
    ]
    print_table(("severity", "dimension", "finding", "methodologies"), lines, empty=empty)


def _print_trend(found: list[AuditReport], line: str, days: int) -> None:
    if not found:
        print_line(f"no audit within {days} days: `afterword audit run`")
        return
    print_line(line)
    print_table(
        ("at", "composite", "band", "findings", "audit"),
        [
            [
                moment(one.known_at),
                "" if one.composite is None else _score(one.composite),
                one.band or "not scored",
                len(one.findings),
                one.uid,
            ]
            for one in found
        ],
    )


def _score(score: float) -> str:
    return f"{score:.1f}"
