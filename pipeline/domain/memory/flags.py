"""Flags of texts that read like orders to the agent: set at each write, cleared by the owner.

A flag refuses nothing. The text is stored, found by its words and marked there; prompts leave it
out, and it gets no vector.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory import flag_rows, rows
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_limit, short_repr
from afterword.pipeline.domain.memory.flag_rows import TABLES, FlaggedTable
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.rules.injection import scan_for_injection

INJECTION_REJECTED: Final = "injection-rejected"
"""Why a flagged text has no vector (R1)."""

WITHHELD: Final = "(withheld: the injection scan flagged it)"
"""Stands in an answer, or in a judge's material, for a text that reads like an order."""

MAX_LISTED: Final = 1_000
"""Flags of one list."""

_BATCH: Final = 1_000
"""Rows that one step of a scan of old rows reads, and may flag in one short transaction."""

MAX_KEPT: Final = 500
"""Characters of a text whose families are kept for the next time: agents and rules repeat them."""

_NAMES: Final[Mapping[FlaggedTable, str]] = {
    "memories": "memory",
    "role_memory": "decision",
    "user_profile": "profile",
    "financial_profile": "prompt",
    "learned_preferences": "preference",
}
_TABLES: Final = {name: table for table, name in _NAMES.items()}


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag: what `clear_flag` takes, and the families of injections that the words look like."""

    name: str
    families: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FlaggedText:
    """A text that was flagged and not cleared.

    Args:
        name: what `unflag` takes, such as `memory:12` or `profile:3`.
        families: what its words look like.
        words: those that raised the alarm; empty if the scan of today finds none.
        arms: which arm of the scan saw each of the words: `rules` or `learned`.
    """

    name: str
    families: tuple[str, ...]
    words: tuple[str, ...]
    flagged_at: datetime
    text: str
    arms: tuple[str, ...] = ()


def families_of(*texts: str) -> tuple[str, ...]:
    """Return the families of injections that texts look like, each once; empty for most texts."""
    families: list[str] = []
    for text in texts:
        families += _short_families(text) if len(text) <= MAX_KEPT else _families(text)
    return tuple(dict.fromkeys(families))


def scan_ahead(*texts: str) -> None:
    """Scan texts that a transaction is about to flag, so that it need not wait for the scan.

    `families_of` keeps what it found of texts of up to `MAX_KEPT` characters; most texts take
    microseconds, those whose meaning is looked at 10 to 50 ms.
    """
    families_of(*texts)


def shown(text: str) -> str:
    """Return a text of others that has no flag of its own, or `WITHHELD` if it reads like an order.

    Args:
        text: as it is shown.
    """
    return WITHHELD if families_of(text) else text


def flag(
    conn: Connection, table: FlaggedTable, families: Mapping[int, Sequence[str]], now: datetime
) -> None:
    """Flag rows, by id with their families, in the transaction that wrote their texts."""
    if not families:
        return
    flag_rows.flag(conn, table, families, to_micros(now))
    for names in families.values():
        for family in names:
            emit("injection.flagged", family=family)


def flag_texts(
    conn: Connection,
    table: FlaggedTable,
    texts: Iterable[tuple[int, *tuple[str, ...]]],
    now: datetime,
) -> dict[int, Flag]:
    """Scan texts (row id, texts) that were just written; return the flags by row id."""
    families = {row_id: names for row_id, *parts in texts if (names := families_of(*parts))}
    flag(conn, table, families, now)
    return {row_id: Flag(_name(table, row_id), names) for row_id, names in families.items()}


def list_flagged(store: Store, limit: int = 50) -> list[FlaggedText]:
    """Return the flagged texts, the latest first.

    Raises:
        InvalidInputError: the limit is out of range.
    """
    check_limit(limit, MAX_LISTED)
    with reading(store) as conn:
        return [_flagged_text(row) for row in flag_rows.flagged(conn, limit)]


def clear_flag(by: Writer, name: str | int) -> str:
    """Clear a flag; from then on prompts may show the text. Return its name as `list_flagged` does.

    Args:
        by: the owner.
        name: as `list_flagged` returns it; a memory's number or uid alone will do.

    Raises:
        InvalidInputError: the writer is not the owner, or the name is of no kind.
        NotFoundError: no such text, or it has no flag.
    """
    if by.actor != "owner":
        raise InvalidInputError("name", "only the owner clears a flag", "the owner's door")
    kind, colon, number = str(name).partition(":")
    if colon and (kind not in _TABLES or not number.isdigit()):
        accepted = "memory:ID, decision:ID, profile:ID, prompt:ID or preference:ID"
        raise InvalidInputError("name", f"{short_repr(name)} names nothing", accepted)
    with writing(by.store) as conn:
        table, row_id = (_TABLES[kind], int(number)) if colon else _memory(conn, name)
        now = by.clock()
        if not flag_rows.clear(conn, table, row_id, to_micros(now)):
            listed = "`afterword memory flagged` lists what is"
            raise NotFoundError(f"{short_repr(str(name))} is not flagged; {listed}")
        record(conn, now, by.actor, "injection.clear", table, [ChangedRow(row_id, by.session)])
    return _name(table, row_id)


def scan_old(
    store: Store, now: datetime, *, apply: bool, after_batch: Callable[[Connection, int], None]
) -> int:
    """Scan the texts that were never flagged, in short steps; return how many read like orders.

    There may be a hundred thousand of them, and a page waits: nobody asks what each one means. A
    cleared text stays cleared.

    Args:
        apply: whether to flag them.
        after_batch: called in the transaction of each step that flags, with its number of rows.
    """
    total = 0
    for table in TABLES:
        for families in _steps(store, table):
            total += len(families)
            if families and apply:
                with writing(store) as conn:
                    flag(conn, table, families, now)
                    after_batch(conn, len(families))
    return total


def _flagged_text(row: flag_rows.FlagRow) -> FlaggedText:
    findings = scan_for_injection(row.words)
    return FlaggedText(
        _name(row.table, row.id),
        row.families,
        tuple(finding.phrase for finding in findings),
        row.flagged_at,
        row.words.split(" . ")[0],
        tuple(finding.arm for finding in findings),
    )


def _families(text: str) -> tuple[str, ...]:
    return tuple(one.family for one in scan_for_injection(text)) if text else ()


_short_families = lru_cache(maxsize=4_096)(_families)


def _steps(store: Store, table: FlaggedTable) -> Iterator[dict[int, tuple[str, ...]]]:
    after = 0
    while True:
        with reading(store) as conn:
            texts = flag_rows.never_flagged(conn, table, after, _BATCH)
        if not texts:
            return
        after = texts[-1][0]
        yield {
            row_id: tuple(dict.fromkeys(one.family for one in found))
            for row_id, words in texts
            if (found := scan_for_injection(words, by_meaning=False))
        }


def _name(table: FlaggedTable, row_id: int) -> str:
    return f"{_NAMES[table]}:{row_id}"


def _memory(conn: Connection, name: str | int) -> tuple[FlaggedTable, int]:
    memory = rows.find(conn, int(name) if str(name).isdigit() else name)
    if memory is None:
        raise NotFoundError(f"memory {short_repr(name)} does not exist")
    return "memories", memory.id
