"""What forgetting would erase, and the proof of what it erased."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from afterword.pipeline.operations.forget.model import Copy, ForgetReport, Preview, Proof
from afterword.pipeline.views.blocks import Paragraph, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.words import moment, printable

_MAX_IDS: Final = 12
"""Row numbers that are shown of one table (count); JSON has all of them."""

_ELSEWHERE: Final = (
    "not changed: other groups; backups, exports and pages in other places; snapshots of the "
    "disk, logs of other programs, and requests that were sent to a model"
)


def forget_preview(preview: Preview) -> View:
    """Return the rows that would be erased."""
    lines = list(_notes(preview))
    if preview.unfinished:
        waits = f"{preview.unfinished} erasures are not proved yet"
        lines.append(f"{waits}; --apply completes the proof")
    if preview.rows:
        lines.append(f"nothing was changed; --apply erases these {preview.rows:,} rows for good")
    return View([_table(preview), *map(Paragraph, lines)])


def forget_proof(report: ForgetReport) -> View:
    """Return the rows that were erased, and what a search for their content found."""
    preview, proof = report.preview, report.proof
    lines = ["there was nothing to erase"] if proof is None else _proved(proof, preview.workspace)
    return View([_table(preview), *map(Paragraph, (*_notes(preview), *lines))])


def _table(preview: Preview) -> Table:
    rows: list[list[Cell]] = [
        [held.table, held.does, len(held.ids), _numbers(held.ids)] for held in preview.held
    ]
    rows += [[table, "erased too", rows_of, ""] for table, rows_of in preview.follows.items()]
    return Table(("table", "is", "rows", "which"), rows, "no row matches")


def _notes(preview: Preview) -> Iterator[str]:
    """Yield what of a request is not, or no longer, to be erased."""
    for name, at in preview.erased_before.items():
        yield f"memory {name} was erased at {moment(at)}; nothing is left to erase"
    if preview.versions:
        numbers = _numbers(preview.versions)
        yield f"its other versions stay: {numbers}; name them to erase them too"
    for table, rows in preview.stays.items():
        yield f"{rows:,} rows of {table} stay (the venue's own record); --trades erases them"
    for path in preview.workspace:
        named = printable(str(path))
        yield f"not changed: {named} of the workspace holds it; take it out before the next session"


def _proved(proof: Proof, named: Sequence[Path]) -> Iterator[str]:
    """Yield what was looked for in which files, and where else the content may stand.

    Args:
        named: files that were named already.
    """
    looked_for = proof.phrases + proof.words
    yield (
        f"proved: {proof.found} of {looked_for:,} found in {len(proof.files)} files "
        f"({proof.phrases:,} phrases, {proof.words:,} words that no other row has)"
    )
    for table, phrases in proof.standing.items():
        yield f"{phrases:,} of the phrases are also in {table}, in rows that were not requested"
    if proof.too_short:
        yield f"{proof.too_short:,} rows are too short to search for"
    yield from (_copy(copy) for copy in proof.copies if copy.path not in named)
    yield _ELSEWHERE


def replica_note(replica: Path, group: str) -> View:
    """Return what is to be done about a replica, which is packed and cannot be searched."""
    return View(
        [
            Paragraph(
                f"The replica in {printable(str(replica))} holds the content until its retention "
                "is over. To be rid of it now, stop Litestream, delete "
                f"{printable(str(replica / 'groups' / f'{group}.sqlite'))} and "
                f"{printable(str(replica / 'instance'))}, and start it again."
            )
        ]
    )


def _copy(copy: Copy) -> str:
    holds = f"contains {copy.holds:,} of them"
    if copy.replay:
        remedy = f"remove it with `afterword replay rm {copy.replay}`"
        return f"not changed: replay {copy.replay} {holds}; {remedy}"
    return f"not changed: {copy.path} {holds}; delete it, or take them out of it"


def _numbers(ids: Sequence[int]) -> str:
    shown = ", ".join(map(str, ids[:_MAX_IDS]))
    return f"{shown}, …" if len(ids) > _MAX_IDS else shown
