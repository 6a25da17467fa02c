"""`afterword audit`: how healthy the learning loop is, and how that changed."""

import time
from datetime import timedelta
from typing import Annotated

import typer

from afterword.pipeline.domain.audit.busy import Courtesy
from afterword.pipeline.domain.audit.model import SEVERITIES
from afterword.pipeline.domain.audit.read import read_audit, read_audits
from afterword.pipeline.domain.audit.run_audit import MOST_AUDIT_DAYS, WINDOW_DAYS, run_audit
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.errors import InvalidInputError
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
    report = read_audit(call.store(), pass_id)
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
    reports = read_audits(call.store(), since=call.now() - timedelta(days=days))
    line = sparkline([report.composite for report in reports])
    call.answer({"sparkline": line, "reports": reports}, lambda: audit_trend(reports, line, days))


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
    if severity:
        check_word(severity, SEVERITIES, "severity")
    report = read_audit(call.store())
    shown = [
        finding
        for finding in (() if report is None else report.findings)
        if severity in ("", finding.severity)
    ]
    call.answer(shown, lambda: audit_findings(shown, was_run=report is not None))
