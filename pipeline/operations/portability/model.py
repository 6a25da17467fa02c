"""What an export is, what an import does with each of its files, and the limits of both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from afterword.pipeline.core.area import ExportTrust

SCHEMA_VERSION: Final = 1
"""Of the layout; an import reads this one."""

DATA: Final = "data"
INDEX: Final = "index.md"
SIGNATURE: Final = "signature.txt"
DIFFERENCES: Final = "differences.md"
"""What differs from what was imported, and why; there if anything does."""

MOST_PAGE_BYTES: Final = 1024 * 1024
"""Of a markdown file."""

TRUST_LEVELS: Final[Mapping[ExportTrust, int]] = {
    "any": 0,
    "known": 1,
    "signed": 2,
    "own": 3,
    "none": 4,
}
"""How much trust a file must have before its rows are taken."""

ImportChannel = Literal["A", "B"]
"""R1's channels. A: signed here, for this group: what stands there is restored as it was. B: all
others: it is taken as if it were written now."""

ImportSigner = Literal["group", "home", "key", "nobody"]
"""Who signed a file: this group; this home, for another group; the home whose key the owner gave;
or nobody whose signature can be checked here."""

ImportOutcome = Literal["applied", "unchanged", "refused", "not_carried", "for_people"]
"""What becomes of a file: rows of it are new; all of it is here; it may not be taken, or nothing of
it; it has nothing that Afterword keeps; it is a page for people, made of other files."""


@dataclass(frozen=True, slots=True)
class ExportHeader:
    """What all files of an export share.

    Args:
        instance_id: 16 hexadecimal digits that name the key of an installation.
        serial: number of the export among those of the group; grows.
    """

    instance_id: str
    group: str
    serial: int
    schema: int = SCHEMA_VERSION


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What an export takes along beside what it always does."""

    is_signed: bool = False
    with_constraints: bool = False
    with_prices: bool = False


@dataclass(frozen=True, slots=True)
class MadeExport:
    """An export that is complete.

    Args:
        rows: of each file of data; count.
        pages: markdown files of each folder; count.
        left_out: hard constraints that were not asked for; count.
    """

    folder: Path
    header: ExportHeader
    is_signed: bool
    rows: Mapping[str, int]
    pages: Mapping[str, int]
    left_out: int


@dataclass(slots=True)
class RowCounts:
    """What became of the lines of a file, added up while it is read.

    Args:
        new, known, refused: counts; a known one is here already.
        problems: why lines were refused, the first ones.
        notes: what differs from the file, and why; each with how many lines.
    """

    new: int = 0
    known: int = 0
    refused: int = 0
    problems: list[str] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)

    def refuse(self, problem: str) -> None:
        """Count a refused line, and keep why if few were refused before."""
        self.refused += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    def note(self, words: str) -> None:
        """Count a difference."""
        self.notes[words] = self.notes.get(words, 0) + 1


MOST_PROBLEMS: Final = 5
"""Refused lines of a file that are told with their reason."""


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """What an import did with one file, or would do.

    Args:
        path: below the folder.
        problems: why it, or lines of it, were refused.
        notes: which fields differ from the file, and why; by number of rows.
    """

    path: str
    channel: ImportChannel
    outcome: ImportOutcome
    new: int = 0
    known: int = 0
    refused: int = 0
    problems: Sequence[str] = ()
    notes: Mapping[str, int] = field(default_factory=dict)
    signed_by: ImportSigner = "nobody"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, or would do.

    Args:
        layout: the program that wrote the folder, such as `afterword` or `openclaw`.
        is_applied: whether anything was written.
        header: of an export of Afterword; None of other programs.
    """

    layout: str
    is_applied: bool
    header: ExportHeader | None
    files: Sequence[ImportedFile]


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What the owner allows.

    Args:
        are_constraints_approved: hard constraints may be proposed: the owner said so at a terminal.
        is_vouched: the words are the owner's own, though another installation wrote them: who said
            what is kept.
        program: that wrote the folder, if it is not to be recognised.
        key: of the home that signed the folder, if that is not this one.
    """

    are_constraints_approved: bool = False
    is_vouched: bool = False
    program: str | None = None
    key: bytes | None = field(default=None, repr=False)
