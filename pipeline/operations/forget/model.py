"""What is to be forgotten, what was found of it, and what the search for its bytes showed."""

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
    """What a person wants forgotten: some memories, or everything about a subject.

    Args:
        memories: uids, or ids inside the store; what was derived from them goes too.
        subject: a name, ticker, chain or address; every text that names it goes.
        trades: also the mirrored fills of an account or wallet of that name.

    Raises:
        InvalidInputError: neither is given, or both.
    """

    memories: tuple[str | int, ...] = ()
    subject: str = ""
    trades: bool = False

    def __post_init__(self) -> None:
        if bool(self.memories) == bool(self.subject):
            raise InvalidInputError("forget", "needs one of two", "memories, or a subject")
        if self.subject:
            check_text(self.subject, MAX_SUBJECT, "subject")
        elif self.trades:
            raise InvalidInputError("trades", "go with an account or a wallet", "a subject")


@dataclass(frozen=True, slots=True)
class MatchingRows:
    """Rows of one table that hold what is to be forgotten.

    Args:
        ids: rowids, ascending.
        does: what happens to them, in words: `erased`, `blanked`.
    """

    table: str
    does: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a wish finds now.

    Args:
        held: the rows, by table.
        follows: rows of other tables that go with them; count by table.
        versions: earlier and later versions of the named memories, which stay.
        stays: rows about the subject that stay unless asked for (fills); count by table.
        erased_before: when the named memories that are gone were erased, by their name.
        unfinished: erasures that were begun and whose proof is still owed; count.
    """

    held: tuple[MatchingRows, ...]
    follows: Mapping[str, int]
    versions: tuple[int, ...]
    stays: Mapping[str, int]
    erased_before: Mapping[str, datetime]
    unfinished: int

    @property
    def rows(self) -> int:
        """Rows that hold it, in all tables."""
        return sum(len(one.ids) for one in self.held)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy made before, which forgetting does not change.

    Args:
        holds: how many of the phrases and words looked for it still holds; count.
    """

    path: Path
    holds: int


@dataclass(frozen=True, slots=True)
class Proof:
    """What a search of the files' bytes showed.

    Args:
        phrases: pieces of the erased texts that were looked for; count.
        words: words and index terms of theirs that no row that stays holds; count.
        files: the files searched.
        found: of phrases and words, those found where no row explains them; count.
        where: the files they were found in.
        standing: of the phrases, those that rows hold which were not asked for; count by table.
        too_short: erased texts too short to be told from other bytes; count.
        copies: copies that are out of reach.
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
    """What forgetting did.

    Args:
        preview: what was found before.
        proof: None where nothing was to be erased or proved.
    """

    preview: Preview
    proof: Proof | None
