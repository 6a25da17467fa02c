"""`afterword audit`: how healthy the learning loop is, and how that changed."""

import time
from datetime import timedelta
from typing import Annotated, cast

import typer

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.audit import rows
from afterword.pipeline.domain.audit.busy import Courtesy
from afterword.pipeline.domain.audit.model import SEVERITIES, Severity
from afterword.pipeline.domain.audit.run_audit import MOST_AUDIT_DAYS, WINDOW_DAYS, run_audit
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.views.methods.audit import (
    AUDIT_OFF,
    audit_findings,
    audit_off,
    audit_report,
    audit_trend,
)
from afterword.pipeline.views.numbers import sparkline

app = section("Score how healthy the learning loop is.")


@app.command("run")
def run(
    ctx: typer.Context,
    window_days: Annotated[
        int, typer.Option(help="Days to look at.", min=1, max=MOST_AUDIT_DAYS)
    ] = WINDOW_DAYS,
) -> None:
    """Audit the learning loop now: score it, and keep the report. Nothing else is changed.

    Example: afterword audit run --window-days 90
    """
    call = Call(ctx)
    if not call.settings.learning_enabled:
        call.answer({"band": "disabled", "why": AUDIT_OFF}, audit_off)
        return
    store = call.store()
    report = run_audit(
        Courtesy(store, call.roots.clock, time.sleep),
        call.roots.ids(),
        "command",
        call.settings.graduation_gate,
        window_days,
    )
    call.answer(report, lambda: audit_report(report))


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
    call.answer(report, lambda: audit_report(report))


@app.command("trend")
def trend(
    ctx: typer.Context,
    days: Annotated[int, typer.Option(help="Days to look back.", min=1, max=MOST_AUDIT_DAYS)] = 90,
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
        lambda: audit_trend(found, line, days),
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
    call.answer(found, lambda: audit_findings(found, was_run=report is not None))
