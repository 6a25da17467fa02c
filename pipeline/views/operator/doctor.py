"""What the doctor found, and what it repaired."""

from collections.abc import Sequence

from afterword.pipeline.operations.doctor.fix import FixResult
from afterword.pipeline.operations.doctor.model import Finding
from afterword.pipeline.views.blocks import Block, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell


def finding_list(findings: Sequence[Finding]) -> View:
    """Return what was checked, and what to do where it is not fine."""
    return View([Table(("what", "is", "found"), list(map(_finding, findings)))])


def fix_list(results: Sequence[FixResult], *, is_applied: bool) -> View:
    """Return what each action did, or would do."""
    columns = ("group", "action", "is", "rows", "what it does")
    blocks: list[Block] = [Table(columns, list(map(_fixed, results)), "nothing to show")]
    if not is_applied and any(result.rows for result in results):
        blocks.append(Paragraph("nothing was changed; run --fix --apply to repair it"))
    return View(blocks)


def _finding(finding: Finding) -> list[Cell]:
    words = f"{finding.says}; {finding.remedy}" if finding.remedy else finding.says
    return [finding.subject, finding.state, words]


def _fixed(result: FixResult) -> list[Cell]:
    return [result.group or "(home)", result.action, _state(result), result.rows, result.says]


def _state(result: FixResult) -> str:
    if result.failed:
        return "wrong"
    if not result.rows:
        return "nothing to do"
    return "done" if result.applied else "to do"
