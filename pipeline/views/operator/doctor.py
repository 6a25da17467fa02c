"""What the doctor found, and what it repaired."""

from collections.abc import Sequence

from afterword.pipeline.operations.doctor.fix import FixResult
from afterword.pipeline.operations.doctor.model import Finding
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell, Ref


def finding_list(findings: Sequence[Finding]) -> View:
    """Return what was checked, and what to do where it is not fine."""
    return View([Table(("what", "is", "found"), list(map(_finding, findings)))])


def fix_list(results: Sequence[FixResult], *, is_applied: bool, asked: Sequence[str] = ()) -> View:
    """Return what each action did, or would do.

    Args:
        asked: names of the actions that are counted only if somebody asks for them by name.
    """
    columns = ("group", "action", "is", "rows", "what it does")
    blocks: list[Block] = [Table(columns, list(map(_fixed, results)), "nothing to show")]
    if not is_applied and any(result.rows for result in results):
        blocks.append(Paragraph("nothing was changed; `afterword doctor --fix --apply` repairs it"))
    blocks += [Fields({"may ask a model": Ref(name, "repair", name)}) for name in asked]
    return View(blocks)


def repair_done(result: FixResult) -> View:
    """Return what one action did."""
    return View([Paragraph(f"{result.action} {result.says}: {result.rows:,} done")])


def _finding(finding: Finding) -> list[Cell]:
    words = f"{finding.says}; {finding.remedy}" if finding.remedy else finding.says
    return [finding.subject, finding.state, words]


def _fixed(result: FixResult) -> list[Cell]:
    # Without a file or its skills no action ran, and the word names none.
    action = result.action if result.failed else Ref(result.action, "repair", result.action)
    return [result.group or "(home)", action, _state(result), result.rows, result.says]


def _state(result: FixResult) -> str:
    if result.failed:
        return "wrong"
    if not result.rows:
        return "nothing to do"
    return "done" if result.applied else "to do"
