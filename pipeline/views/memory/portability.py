"""What an export took along, and what an import did with each file."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from afterword.pipeline.operations.portability.model import (
    ImportedFile,
    ImportReport,
    MadeExport,
)
from afterword.pipeline.views.blocks import Block, Fields, Items, Paragraph, Section, Table, View
from afterword.pipeline.views.numbers import count

_COUNTS: Final = ("outcome", "new", "here", "left out")
_WORDS: Final = {
    "applied": "taken",
    "unchanged": "nothing new",
    "refused": "refused",
    "not_carried": "not carried",
    "for_people": "for people",
}
_MOST_LISTED: Final = 40
_MOST_NAMED: Final = 3
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
    else:
        words = "another home takes it with --key: carry keys/hmac.key there, apart from the folder"
        blocks.append(Paragraph(words))
    return View(blocks)


def folder_imported(report: ImportReport) -> View:
    """Return what an import did, or would do, with each file that holds anything."""
    files = [file for file in report.files if _says(file)]
    new = sum(file.new for file in files)
    known = sum(file.known for file in files)
    verb = "written" if report.is_applied else "to be written"
    lead = f"{verb}: {count(new, 'row')} of {report.layout}; here already: {known:,}"
    has_channels = report.header is not None
    columns = ("file", *(("channel", "signed by") if has_channels else ()), *_COUNTS)
    table = Table(columns, _rows(files, has_channels=has_channels))
    blocks: list[Block] = [Paragraph(lead, tone="lead"), table]
    if has_channels:
        blocks.append(_CHANNELS)
    for_people = sum(file.outcome == "for_people" for file in report.files)
    if for_people:
        words = f"{count(for_people, 'file')} for people: made of the other files, and not read"
        blocks.append(Paragraph(words))
    problems: dict[str, list[str]] = {}
    notes: dict[str, list[str]] = {}
    rows: Counter[str] = Counter()
    for file in files:
        for problem in file.problems:
            problems.setdefault(problem.removeprefix(f"{file.path}: "), []).append(file.path)
        for words, number in file.notes.items():
            notes.setdefault(words, []).append(_place(file.path))
            rows[words] += number
    blocks += _section("Not taken", [f"{_named(of)}: {words}" for words, of in problems.items()])
    told = [f"{words} ({count(rows[words], 'row')} of {_named(of)})" for words, of in notes.items()]
    blocks += _section("Differs: which fields, and why", told)
    if not report.is_applied:
        blocks.append(Paragraph("nothing was written; with --apply it is"))
    elif new:
        blocks.append(Paragraph("`afterword up` makes what is derived: edges, and vectors if set"))
    return View(blocks)


def _section(heading: str, texts: Sequence[str]) -> list[Block]:
    if not texts:
        return []
    beyond = len(texts) - _MOST_LISTED
    shown = [*texts[:_MOST_LISTED], *([f"and {beyond:,} more: see --json"] if beyond > 0 else [])]
    return [Section(heading, [Items(shown)])]


def _named(paths: Sequence[str]) -> str:
    """Return the first files of a list, and how many more there are."""
    different = list(dict.fromkeys(paths))
    first, beyond = ", ".join(different[:_MOST_NAMED]), len(different) - _MOST_NAMED
    return f"{first} and {beyond:,} more" if beyond > 0 else first


def _says(file: ImportedFile) -> bool:
    if file.outcome == "for_people":
        return False
    return bool(file.new or file.known or file.refused or file.problems)


def _rows(files: Sequence[ImportedFile], *, has_channels: bool) -> list[tuple[str | int, ...]]:
    """Return a row for each file of data, and one for all pages of a folder that fared alike."""
    alike: dict[tuple[str, ...], list[ImportedFile]] = {}
    for file in files:
        channel = (file.channel, _SIGNERS[file.signed_by]) if has_channels else ()
        key = (_place(file.path), *channel, _WORDS[file.outcome])
        alike.setdefault(key, []).append(file)
    rows: list[tuple[str | int, ...]] = []
    for (place, *fared), group in alike.items():
        name = group[0].path if len(group) == 1 else f"{place} ({len(group):,} files)"
        sums = (sum(getattr(file, part) for file in group) for part in ("new", "known", "refused"))
        rows.append((name, *fared, *sums))
    return rows


def _place(path: str) -> str:
    """Return the folder of a page; the path of another file."""
    folder, _, name = path.partition("/")
    return f"{folder}/" if name.endswith(".md") else path
