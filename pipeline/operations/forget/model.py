"""Values of forgetting: the request, the rows that match, and the proof."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.errors import InvalidInputError

MAX_SUBJECT = 200
"""Characters of a subject: a name, a ticker, an address."""


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """A request to forget some memories, or everything about a subject.

    Args:
        memories: uids, or ids inside the store; memories derived from them are erased too.
        subject: a name, ticker, chain or address; every text that names it is erased.
        trades: also erase the imported fills of an account or wallet of that name.

    Raises:
        InvalidInputError: neither is given, or both.
    """

    memories: tuple[str | int, ...] = ()
    subject: str = ""
    trades: bool = False

    def __post_init__(self) -> None:
        if bool(self.memories) == bool(self.subject):
            raise InvalidInputError(
                "forget", "names neither memories nor a subject, or both", "memories, or a subject"
            )
        if self.subject:
            check_text(self.subject, MAX_SUBJECT, "subject")
        elif self.trades:
            raise InvalidInputError("trades", "needs an account or a wallet", "a subject")


@dataclass(frozen=True, slots=True)
class MatchingRows:
    """Rows of one table that match the request.

    Args:
        ids: rowids, ascending.
        does: what happens to them: `erased` or `blanked`.
    """

    table: str
    does: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a request would erase now.

    Args:
        held: the matching rows, by table.
        follows: rows of other tables that are erased with them; count by table.
        versions: earlier and later versions of the named memories, which stay.
        stays: rows about the subject that stay unless requested (fills); count by table.
        erased_before: when named memories were erased before, by their name.
        unfinished: erasures without a proof; count.
        workspace: files of the workspace that hold it, which are never changed.
    """

    held: tuple[MatchingRows, ...]
    follows: Mapping[str, int]
    versions: tuple[int, ...]
    stays: Mapping[str, int]
    erased_before: Mapping[str, datetime]
    unfinished: int
    workspace: tuple[Path, ...] = ()

    @property
    def rows(self) -> int:
        """Number of matching rows in all tables."""
        return sum(len(one.ids) for one in self.held)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of some text, or a replay, which forgetting does not change.

    Args:
        holds: how many of the erased phrases and words it contains; count.
        replay: the name of a replay; empty for another file.
    """

    path: Path
    holds: int
    replay: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of a search for residue in the bytes of the files.

    Args:
        phrases: phrases of the erased texts that were searched for; count.
        words: words and index terms of the erased texts that no remaining row has; count.
        files: the searched files.
        found: phrases and words that were found although no remaining row has them; count.
        where: the files in which they were found.
        standing: phrases that remaining rows have, which were not requested; count by table.
        too_short: erased texts that are too short to search for; count.
        copies: files and replays that hold some and are not changed.
    """

    phrases: int
    words: int
    files: tuple[Path, ...]
    found: int
    where: tuple[Path, ...]
    standing: Mapping[str, int]
    too_short: int
    copies: tuple[Copy, ...]


@dataclass(frozen=True, slots=True)
class ForgetReport:
    """The result of forgetting.

    Args:
        preview: the matching rows before the erasure.
        proof: None if there was nothing to erase or to prove.
    """

    preview: Preview
    proof: Proof | None
