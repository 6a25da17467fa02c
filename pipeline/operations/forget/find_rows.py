"""Find every row with content to forget, in short reads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from afterword.pipeline.core.area import ForgetPlace
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts.checks import is_address
from afterword.pipeline.domain.memory.rows import find
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.operations.forget import rows
from afterword.pipeline.operations.forget.matching import Names, Repeats, names_subject, words_of
from afterword.pipeline.operations.forget.model import ForgetRequest, MatchingRows, Preview
from afterword.pipeline.operations.forget.places import FORGET_PLACES, MEMORIES, Files

_PAGE: Final = 2_000
"""Rows of one read (count): a long read keeps the write-ahead log from being reused."""


@dataclass(frozen=True, slots=True)
class RowsToErase:
    """The rows to erase.

    Args:
        places: rowids by place, in the order in which they are erased.
        contents: the contents of the memories among them, and of those found before.
        accounts: names of the accounts at the address that is the subject; their rows go with it.
    """

    places: Mapping[ForgetPlace, Sequence[int]]
    contents: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()

    @property
    def memories(self) -> Sequence[int]:
        """Ids of the memories among them."""
        return self.places.get(MEMORIES, ())


def find_rows(
    files: Files, request: ForgetRequest, before: RowsToErase | None = None
) -> RowsToErase:
    """Search every place; a second search finds the rows that were written meanwhile.

    Args:
        before: what the search before found and what is erased since: its memories may have been
            written again, and its accounts are no longer known by their address.

    Raises:
        NotFoundError: a named memory does not exist and was not forgotten before.
    """
    names = names_subject(request.subject) if request.subject else None
    before = before or RowsToErase({}, accounts=_accounts(files.group, request))
    memories = _memories(files.group, request, names, before.accounts)
    contents = (*before.contents, *_contents(files.group, memories))
    repeats = Repeats(contents)
    found: dict[ForgetPlace, Sequence[int]] = {MEMORIES: memories}
    gone: set[int] = set()
    for place in FORGET_PLACES:
        if place is MEMORIES or (place.on_request and not request.trades):
            continue
        ids = list(_matching(files.of(place), place, names, repeats, memories, before.accounts))
        if place.table == "jobs":  # a job that is erased as a whole need not be blanked
            ids, gone = [row_id for row_id in ids if row_id not in gone], gone | set(ids)
        found[place] = ids
    places = {place: ids for place, ids in found.items() if ids}
    return RowsToErase(places, contents, before.accounts)


def describe(files: Files, request: ForgetRequest, found: RowsToErase) -> Preview:
    """Return the found rows as a preview for the person who erases them."""
    names = names_subject(request.subject) if request.subject else None
    stays = {}
    if names and not request.trades:
        for place in (place for place in FORGET_PLACES if place.on_request):
            ids = _matching(files.group, place, names, Repeats(()), (), found.accounts)
            if count := sum(1 for _ in ids):
                stays[place.table] = count
    with reading(files.group) as conn:
        return Preview(
            held=tuple(
                MatchingRows(place.table, place.does, tuple(ids))
                for place, ids in found.places.items()
            ),
            follows=rows.followers(conn, found.memories),
            versions=tuple(rows.versions(conn, found.memories) if request.memories else ()),
            stays=stays,
            erased_before={
                str(memory): at
                for memory in request.memories
                if (at := rows.erased_at(conn, memory)) is not None
            },
            unfinished=len(rows.unproved(conn)),
        )


def _accounts(store: Store, request: ForgetRequest) -> tuple[str, ...]:
    if not is_address(request.subject):
        return ()
    with reading(store) as conn:
        return rows.accounts_at(conn, request.subject)


def _memories(
    store: Store, request: ForgetRequest, names: Names | None, accounts: Sequence[str]
) -> list[int]:
    if names:
        ids = list(_matching(store, MEMORIES, names, Repeats(()), (), accounts))
    with reading(store) as conn:
        if not names:
            ids = []
            for memory in request.memories:
                row = find(conn, memory)
                if row is not None:
                    ids.append(row.id)
                elif rows.erased_at(conn, memory) is None:
                    raise NotFoundError(f"memory {memory!a} does not exist; nothing was forgotten")
        return rows.with_descendants(conn, ids)


def _contents(store: Store, memories: Sequence[int]) -> list[str]:
    with reading(store) as conn:
        return [str(cells[0]) for _, cells in rows.cells(conn, MEMORIES, memories)]


def _matching(
    store: Store,
    place: ForgetPlace,
    names: Names | None,
    repeats: Repeats,
    memories: Sequence[int],
    accounts: Sequence[str],
) -> Iterator[int]:
    for page in _pages(store, place, memories, accounts):
        # One search for the whole page first: most pages hold none of the texts.
        at_all = repeats.is_in("\0".join(s for *_, s in page), place.quotes)
        for row_id, is_named, words in page:
            if (
                is_named
                or (names is not None and names(words))
                or (at_all and repeats.is_in(words, place.quotes))
            ):
                yield row_id


def _pages(
    store: Store, place: ForgetPlace, memories: Sequence[int], accounts: Sequence[str]
) -> Iterator[list[tuple[int, bool, str]]]:
    after = -1
    while True:
        with reading(store) as conn:
            page = rows.page(conn, place, memories, accounts, after, _PAGE)
        yield [
            (row_id, is_named, "\n".join(words_of(place, cells)))
            for row_id, is_named, cells in page
        ]
        if len(page) < _PAGE:
            return
        after = page[-1][0]
