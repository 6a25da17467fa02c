"""`afterword doctor`: what is wrong, and what to do about it."""

import typer

from pipeline.cli.call import Call
from pipeline.cli.output import print_table
from pipeline.clock import monotonic
from pipeline.doctor.examine import examine
from pipeline.doctor.model import Finding


def doctor(ctx: typer.Context) -> None:
    """Look for what is wrong and say what to do; exit 1 if anything is."""
    call = Call(ctx)
    found = list(examine(call.settings, call.roots.clock, monotonic, call.roots.ids))
    call.answer(found, lambda: print_table(("what", "is", "found"), [_row(one) for one in found]))
    if any(one.state == "wrong" for one in found):
        raise typer.Exit(1)


def _row(finding: Finding) -> list[str]:
    said = f"{finding.says}; {finding.remedy}" if finding.remedy else finding.says
    return [finding.subject, finding.state, said]
