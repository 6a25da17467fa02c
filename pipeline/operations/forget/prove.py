"""Search the bytes of the files for erased texts, and tell residue from remaining rows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.store.check import FTS_TABLES
from afterword.pipeline.core.store.names import log_path
from afterword.pipeline.core.store.upgrade import UPGRADE_MARK
from afterword.pipeline.operations.forget import rows
from afterword.pipeline.operations.forget.finder import SHORTEST_PATTERN_BYTES, Finder
from afterword.pipeline.operations.forget.grep import search_files
from afterword.pipeline.operations.forget.model import Copy, Proof
from afterword.pipeline.operations.forget.places import Files
from afterword.pipeline.operations.forget.residue import all_phrases, own_words

_SCHEMA: Final = "schema"
_COPIES: Final = (".replaced-", ".restoring", UPGRADE_MARK)
"""Mark copies that `store restore` and an upgrade leave beside a file; no process writes them."""

_BATCH: Final = 4_000_000  # bytes of stored text that are searched at once


def prove(
    files: Files,
    erased: Sequence[Sequence[str]],
    copies: Sequence[Path],
    replays: Mapping[str, Path],
) -> Proof:
    """Search the files of the group and of the installation for erased texts, and their copies.

    Call it while the log is empty and no process writes, so that files and rows agree.

    Args:
        erased: the texts of each erased row.
        copies: other files that are searched and reported only; named if they hold some.
        replays: files of replays by name, the same; a running one may have text in its log only.

    Raises:
        UnavailableError: a file could not be read.
    """
    texts = list(dict.fromkeys(text for said in erased for text in said))
    with reading(files.group) as conn:
        pieces = all_phrases(texts)
        words = own_words(texts, _terms(conn))
    looked_for = list(dict.fromkeys([*pieces, *words]))
    live = files_of(files)
    logs = [log_path(path) for path in replays.values()]
    held = search_files([*live, *copies, *replays.values(), *logs], looked_for)
    hits = set().union(*(held[file] for file in live))
    standing = _standing(files, hits)
    left = hits - standing.keys()
    return Proof(
        phrases=len(pieces),
        words=len(words),
        files=tuple(live),
        found=len(left),
        where=tuple(file for file in live if held[file] & left),
        standing=_counted(standing, pieces),
        too_short=sum(
            all(len(text.encode()) < SHORTEST_PATTERN_BYTES for text in said) for said in erased
        ),
        copies=tuple(
            copy
            for copy in (
                *(Copy(path, len(held[path])) for path in copies),
                *(
                    Copy(path, len(held[path] | held[log_path(path)]), name)
                    for name, path in replays.items()
                ),
            )
            # Where nothing could be searched for, nothing tells which of the stores hold it.
            if copy.holds or (not looked_for and ".sqlite" in copy.path.name)
        ),
    )


def files_of(files: Files) -> list[Path]:
    """Return the files that forgetting changes, and what is beside them."""
    beside = [path for one in files for path in one.path.parent.glob(f"{one.path.name}*")]
    return sorted(path for path in beside if not any(part in path.name for part in _COPIES))


def _standing(stores: Iterable[Store], hits: set[bytes]) -> dict[bytes, set[str]]:
    """Return the patterns that remaining rows contain, each with the tables of these rows."""
    found: dict[bytes, set[str]] = {}
    if hits:
        finder = Finder(hits)
        for store in stores:
            with reading(store) as conn:
                for table, said in _said(conn):
                    for piece in finder.search(said):
                        found.setdefault(piece, set()).add(table)
    return found


def _counted(standing: Mapping[bytes, set[str]], pieces: Iterable[bytes]) -> dict[str, int]:
    tables = Counter(table for piece in pieces for table in standing.get(piece, ()))
    return {table: count for table, count in sorted(tables.items()) if table != _SCHEMA}


def _said(conn: Connection) -> Iterator[tuple[str, bytes]]:
    """Yield the stored text of each table, the schema, and the terms of the word indexes."""
    yield from ((_SCHEMA, batch) for batch in _batches(conn, "SELECT sql FROM sqlite_schema"))
    for table, columns in rows.text_columns(conn).items():
        named = ", ".join(f'"{column}"' for column in columns)
        query = f'SELECT {named} FROM "{table}"'
        yield from ((table, batch) for batch in _batches(conn, query))
    for index in conn.exec_driver_sql(FTS_TABLES).scalars().all():
        yield index, "\n".join(_terms(conn)).encode()


def _batches(conn: Connection, query: str) -> Iterator[bytes]:
    batch: list[str] = []
    size = 0
    for row in conn.exec_driver_sql(query):
        said = "\0".join(cell for cell in row if isinstance(cell, str))
        batch.append(said)
        size += len(said)
        if size > _BATCH:
            yield "\0".join(batch).encode()
            batch, size = [], 0
    yield "\0".join(batch).encode()


def _terms(conn: Connection) -> list[str]:
    """Return the terms of the memories' word index, through a temporary table."""
    conn.exec_driver_sql(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.remembered_terms "
        "USING fts5vocab (main, memories_fts, row)"
    )
    return list(conn.exec_driver_sql("SELECT term FROM temp.remembered_terms").scalars())
