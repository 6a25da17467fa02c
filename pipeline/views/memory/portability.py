"""What an export took along, and what an import did with each file."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.operations.portability.model import (
    ImportedFile,
    ImportReport,
    MadeExport,
)
from afterword.pipeline.views.blocks import Block, Fields, Items, Paragraph, Section, Table, View
from afterword.pipeline.views.numbers import count

_COLUMNS: Final = ("file", "channel", "signed by", "outcome", "new", "here", "left out")
_WORDS: Final = {
    "applied": "taken",
    "unchanged": "nothing new",
    "refused": "refused",
    "not_carried": "not carried",
    "for_people": "for people",
}
_SIGNERS: Final = {
    "group": "this group",
    "home": "this home",
    "key": "your key",
    "nobody": "–",
}
_CHANNELS: Final = Fields(
    {
        "A": "this group signed it: what is missing comes back as it was",
        "B": "all others: it is new here; who said it is kept if a key signed it, else a claim",
    },
    is_legend=True,
)


def export_made(made: MadeExport) -> View:
    """Return what an export has, and what it was not to have."""
    rows = [(name, number) for name, number in made.rows.items() if number]
    pages = [(f"{name}/", number) for name, number in made.pages.items()]
    blocks: list[Block] = [
        Paragraph(f"{made.folder} has all of {made.header.group}: export {made.header.serial}"),
        Table(("part", "number"), [*pages, *rows]),
    ]
    if made.left_out:
        words = f"{count(made.left_out, 'hard constraint')} left out: --include-constraints"
        blocks.append(Paragraph(words))
    if not made.is_signed:
        blocks.append(Paragraph("it is not signed: an import takes it as anybody's; see --sign"))
    return View(blocks)


def folder_imported(report: ImportReport) -> View:
    """Return what an import did, or would do, with each file that holds anything."""
    files = [file for file in report.files if _says(file)]
    new = sum(file.new for file in files)
    known = sum(file.known for file in files)
    verb = "written" if report.is_applied else "to be written"
    lead = f"{verb}: {count(new, 'row')} of {report.layout}; here already: {known:,}"
    blocks: list[Block] = [Paragraph(lead, tone="lead"), Table(_COLUMNS, list(map(_row, files)))]
    if report.header is not None:
        blocks.append(_CHANNELS)
    for_people = sum(file.outcome == "for_people" for file in report.files)
    if for_people:
        words = f"{count(for_people, 'file')} for people: made of the other files, and not read"
        blocks.append(Paragraph(words))
    problems = [f"{file.path}: {problem}" for file in files for problem in file.problems]
    notes = [
        f"{file.path}: {words} ({number})" for file in files for words, number in file.notes.items()
    ]
    blocks += _section("Not taken", problems) + _section("Differs", notes)
    if not report.is_applied:
        blocks.append(Paragraph("nothing was written; with --apply it is"))
    return View(blocks)


def _section(heading: str, texts: Sequence[str]) -> list[Block]:
    return [Section(heading, [Items(texts)])] if texts else []


def _says(file: ImportedFile) -> bool:
    if file.outcome == "for_people":
        return False
    return bool(file.new or file.known or file.refused or file.problems)


def _row(file: ImportedFile) -> tuple[str | int, ...]:
    who = _SIGNERS[file.signed_by], _WORDS[file.outcome]
    return (file.path, file.channel, *who, file.new, file.known, file.refused)
