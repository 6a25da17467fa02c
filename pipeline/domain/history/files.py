"""The files that fills came from, and what two of them cannot decide where they meet.

A fill without an id is known by its time, order, price, size and side, and by how many equal ones
stand before it in its file. Where the last moment of one file is the first of another and both hold
equal fills there, they may be one fill in both files, or two: they are kept once and reported. A
file of the same layout that goes on over that moment decides it.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.fills.accounts import of_account
from afterword.pipeline.domain.history.spool import FileSpan


class FileMark(NamedTuple):
    """What identifies a file.

    Args:
        digest: SHA-256 of its bytes, in hex.
        layout: name of its layout.
        name: what its owner calls it, printable and masked.
    """

    digest: str
    layout: str
    name: str = ""


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


_KNOWN = text(f"""
SELECT sub_account_id, layout, digest, first_ms, last_ms, first_equal, last_equal, name, set_aside
FROM history_files
WHERE first_ms IS NOT NULL AND {of_account()}
ORDER BY sub_account_id, layout, first_ms, last_ms, digest
""")
_INSERT = text("""
INSERT INTO history_files (sub_account_id, digest, layout, fills, closed_trades, first_ms, last_ms,
  first_equal, last_equal, name, set_aside, created_at)
VALUES (:account, :digest, :layout, :fills, :closed_trades, :first_ms, :last_ms, :first_equal,
  :last_equal, :name, :set_aside, :now)
ON CONFLICT (sub_account_id, digest) DO NOTHING
""")


def keep_file(
    store: Store,
    spans: Sequence[FileSpan],
    file: FileMark,
    clock: Clock,
    set_aside: Callable[[str], Sequence[SetAside]] | None = None,
) -> int:
    """Store what a file held of each account; return how many fills it leaves undecided.

    A file that is known already leaves none.

    Args:
        set_aside: says what of an account was not stored; None where all was.
    """
    count = 0
    for span in spans:
        with reading(store) as conn:
            before = known_files(conn, span.account)
        if any(one.digest == file.digest for one in before):
            continue
        with writing(store) as conn:
            values = _values(span, file, to_micros(clock()))
            values["set_aside"] = json.dumps(set_aside(span.account) if set_aside else [])
            conn.execute(_INSERT, values)
        with reading(store) as conn:
            after = known_files(conn, span.account)
        known = {edge[:4] for edge in undecided_edges(before)}
        count += sum(edge.fills for edge in undecided_edges(after) if edge[:4] not in known)
    return count


def known_files(conn: Connection, account: str | None = None) -> list[KnownFile]:
    """Return the files whose fills are stored."""
    return [
        KnownFile(
            *(row[0], row[1], row[2], row[3], row[4], json.loads(row[5]), json.loads(row[6])),
            name=row[7],
            set_aside=tuple(map(_set_aside, json.loads(row[8]))),
        )
        for row in conn.execute(_KNOWN, {"account": account})
    ]


def undecided_edges(files: Iterable[KnownFile]) -> list[UndecidedEdge]:
    """Return where files meet in equal fills without an id; the order of the files is all one."""
    known = list(files)
    beginning: dict[tuple[str, str, int], list[KnownFile]] = {}
    for one in known:
        beginning.setdefault((one.account, one.layout, one.first_ms), []).append(one)
    found: dict[tuple[str, str, int], int] = {}
    names: dict[tuple[str, str, int], set[str]] = {}
    for earlier in known:
        for later in beginning.get((earlier.account, earlier.layout, earlier.last_ms), ()):
            if earlier.digest == later.digest or _is_decided(earlier, known):
                continue
            for equal_to in earlier.last_equal.keys() & later.first_equal.keys():
                place = (earlier.account, equal_to, earlier.last_ms)
                doubt = min(earlier.last_equal[equal_to], later.first_equal[equal_to])
                found[place] = max(found.get(place, 0), doubt)
                names.setdefault(place, set()).update((earlier.name, later.name))
    return [
        UndecidedEdge(*place, fills, tuple(sorted(names[place])))
        for place, fills in sorted(found.items())
    ]


def _set_aside(found: list[Any]) -> SetAside:
    symbol, venue, kind, first_ms, last_ms, fills, others = found
    return SetAside(symbol, venue, kind, first_ms, last_ms, fills, tuple(others))


def _is_decided(edge: KnownFile, files: Iterable[KnownFile]) -> bool:
    return any(one[:2] == edge[:2] and one.first_ms < edge.last_ms < one.last_ms for one in files)


def _values(span: FileSpan, file: FileMark, now: int) -> dict[str, Any]:
    values = span._asdict() | file._asdict() | {"now": now}
    for name in ("first_equal", "last_equal"):
        values[name] = json.dumps(dict(sorted(values[name].items())))
    return values
