"""The files that fills came from, and what two of them cannot decide where they meet.

A fill without an id is known by its time, order, price, size and side, and by how many equal ones
stand before it in its file. Where the last moment of one file is the first of another and both hold
equal fills there, they may be one fill in both files, or two: they are kept once and reported. A
file of the same layout that goes on over that moment decides it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.history.spool import FileSpan


class FileMark(NamedTuple):
    """What identifies a file.

    Args:
        digest: SHA-256 of its bytes, in hex.
        layout: name of its layout.
        name: what its owner calls it, printable and masked.
        is_mirror: it is no file, but what a venue is asked for, a part at a time.
    """

    digest: str
    layout: str
    name: str = ""
    is_mirror: bool = False


class SetAside(NamedTuple):
    """Fills of a file that were left out: another layout tells of the same trades, otherwise.

    Args:
        fills: how many were left out; count.
        others: the layouts that tell of them too.
    """

    symbol: str
    venue: str
    kind: str
    first_ms: int
    last_ms: int
    fills: int
    others: tuple[str, ...]


class KnownFile(NamedTuple):
    """A file whose fills are stored; the counts are by what equal fills have in common."""

    account: str
    layout: str
    digest: str
    first_ms: int
    last_ms: int
    first_equal: dict[str, int]
    last_equal: dict[str, int]
    name: str
    set_aside: tuple[SetAside, ...]


class UndecidedEdge(NamedTuple):
    """Equal fills without an id where two files meet.

    Args:
        equal_to: what they have in common: venue, kind, symbol, side, time, order, price and size.
        at_ms: when; UTC milliseconds.
        fills: how many there may be more than are kept; count.
        files: the names of those that meet.
    """

    account: str
    equal_to: str
    at_ms: int
    fills: int
    files: tuple[str, ...] = ()


def _set_aside(text: str) -> tuple[SetAside, ...]:
    return tuple(SetAside._make((*values, tuple(others))) for *values, others in json.loads(text))


_COUNTS: Final = Coding(json.loads, json.dumps)
_FILE: Final = Codec(
    KnownFile,
    names={"account": "sub_account_id"},
    codings={
        "first_equal": _COUNTS,
        "last_equal": _COUNTS,
        "set_aside": Coding(_set_aside, json.dumps),
    },
)
_KNOWN = text(f"""
SELECT {_FILE.columns} FROM history_files
WHERE first_ms IS NOT NULL AND {of_account()}
ORDER BY sub_account_id, layout, first_ms, last_ms, digest
""")
# Only a mirror grows: of a file that another process imports too, nothing changes.
_INSERT: Final = _FILE.insert(
    "history_files",
    *("fills", "closed_trades", "created_at"),
    otherwise="ON CONFLICT (sub_account_id, digest) DO UPDATE SET "
    "first_ms = min(first_ms, excluded.first_ms), last_ms = max(last_ms, excluded.last_ms), "
    "fills = max(fills, excluded.fills)",
)
_SET_ASIDE = text(
    "SELECT set_aside FROM history_files WHERE sub_account_id = :account AND digest = :digest"
)
_KEEP_SET_ASIDE = text("""
UPDATE history_files SET set_aside = :set_aside
WHERE sub_account_id = :account AND digest = :digest
""")


def keep_file(store: Store, spans: Sequence[FileSpan], file: FileMark, clock: Clock) -> int:
    """Store what a file holds of each account; return how many fills it leaves undecided.

    A file that is known already leaves none. It is stored before its fills: a file of another
    layout that follows a killed import is compared with those that are there.
    """
    count = 0
    for span in spans:
        with reading(store) as conn:
            before = known_files(conn, span.account)
        if not file.is_mirror and any(known.digest == file.digest for known in before):
            continue
        mark = _known(span, file)
        if file.is_mirror:  # it is asked for a part at a time
            mark = mark._replace(first_equal={}, last_equal={})
        with writing(store) as conn:
            counts = (span.fills, span.closed_trades, to_micros(clock()))
            conn.exec_driver_sql(_INSERT, (*_FILE.write(mark), *counts))
        with reading(store) as conn:
            after = known_files(conn, span.account)
        known_edges = {edge[:4] for edge in undecided_edges(before)}
        count += sum(edge.fills for edge in undecided_edges(after) if edge[:4] not in known_edges)
    return count


def keep_set_aside(
    store: Store,
    spans: Sequence[FileSpan],
    file: FileMark,
    set_aside: Callable[[FileSpan, Sequence[SetAside]], Sequence[SetAside]],
) -> None:
    """Store what of each account of a file was not stored.

    Args:
        set_aside: returns that for an account, by what was set aside of the file before.
    """
    for span in spans:
        values = {"account": span.account, "digest": file.digest}
        with reading(store) as conn:
            before = _set_aside_before(conn, values)
        if list(set_aside(span, before)) == list(before):
            continue
        with writing(store) as conn:
            aside = set_aside(span, _set_aside_before(conn, values))
            conn.execute(_KEEP_SET_ASIDE, values | {"set_aside": json.dumps(aside)})


def known_files(conn: Connection, account: str | None = None) -> list[KnownFile]:
    """Return the files whose fills are stored."""
    return [_FILE.read(row) for row in conn.execute(_KNOWN, {"account": account})]


def undecided_edges(files: Iterable[KnownFile]) -> list[UndecidedEdge]:
    """Return where files meet in equal fills without an id; the order of the files is all one."""
    known = list(files)
    beginning: dict[tuple[str, str, int], list[KnownFile]] = {}
    for file in known:
        beginning.setdefault((file.account, file.layout, file.first_ms), []).append(file)
    doubts: dict[tuple[str, str, int], int] = {}
    names: dict[tuple[str, str, int], set[str]] = {}
    for earlier in known:
        for later in beginning.get((earlier.account, earlier.layout, earlier.last_ms), ()):
            if earlier.digest == later.digest or _is_decided(earlier, known):
                continue
            for equal_to in earlier.last_equal.keys() & later.first_equal.keys():
                place = (earlier.account, equal_to, earlier.last_ms)
                doubt = min(earlier.last_equal[equal_to], later.first_equal[equal_to])
                doubts[place] = max(doubts.get(place, 0), doubt)
                names.setdefault(place, set()).update((earlier.name, later.name))
    return [
        UndecidedEdge(*place, fills, tuple(sorted(names[place])))
        for place, fills in sorted(doubts.items())
    ]


def _set_aside_before(conn: Connection, values: Mapping[str, str]) -> tuple[SetAside, ...]:
    stored = conn.execute(_SET_ASIDE, values).scalar()
    return () if stored is None else _set_aside(stored)  # the file may be forgotten meanwhile


def _is_decided(edge: KnownFile, files: Iterable[KnownFile]) -> bool:
    return any(one[:2] == edge[:2] and one.first_ms < edge.last_ms < one.last_ms for one in files)


def _known(span: FileSpan, file: FileMark) -> KnownFile:
    return KnownFile(
        account=span.account,
        layout=file.layout,
        digest=file.digest,
        first_ms=span.first_ms,
        last_ms=span.last_ms,
        first_equal=dict(sorted(span.first_equal.items())),
        last_equal=dict(sorted(span.last_equal.items())),
        name=file.name,
        set_aside=(),
    )
