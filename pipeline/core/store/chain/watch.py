"""Each write adds a block: triggers of the writing connection note the digests of its rows.

The triggers are temporary. They exist in the connections of this program alone: another program
that edits the file is neither hindered nor followed, and so its edit differs from the chain.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store.chain.blocks import (
    Block,
    add_block,
    is_linked,
    last_whole,
    read_layout,
    whole_state,
    written_layout,
)
from afterword.pipeline.core.store.chain.cover import ROW_DIGEST, CoveredTable, layout_of
from afterword.pipeline.core.store.chain.seal import ABSENT, CellValue, ChainKey, row_digest

NOTED: Final = "chain_noted"
"""The temporary table of what the open transaction wrote; SQLite takes back what is undone."""

_DIGEST: Final = "afterword_digest"
_MAKE: Final = f"""
CREATE TEMP TABLE IF NOT EXISTS {NOTED} (place INTEGER PRIMARY KEY, tab, row, before, after)
"""
_EMPTY: Final = f"DELETE FROM {NOTED}"
_TAKE: Final = f"SELECT tab, row, before, after FROM {NOTED} ORDER BY place"


class ChainWatch:
    """Adds a block to the chain of one file for each transaction that writes a covered row.

    Args:
        key: loads the key of the chain, at the first write.
        clock: the present, for the time of a block.
    """

    def __init__(self, key: Callable[[], ChainKey], clock: Clock) -> None:
        self._load, self._clock = key, clock
        self._layout: tuple[CoveredTable, ...] = ()
        self._has_noted = self._has_begun = False

    @cached_property
    def _key(self) -> ChainKey:
        return self._load()

    def begin(self, conn: Any) -> None:
        """Prepare the writing connection (raw), inside the gate."""
        key = self._key  # loaded here: an error inside a trigger would not say what it is
        self._layout = layout_of(conn)
        whole = last_whole(conn)
        self._has_begun = whole is not None
        if whole is not None and whole.layout != written_layout(key, self._layout):
            self._upgrade(conn, whole)
        conn.create_function(_DIGEST, -1, self._digest)
        conn.create_function(ROW_DIGEST, -1, row_digest, deterministic=True)
        conn.execute("PRAGMA temp_store = MEMORY")
        triggers = (
            trigger
            for number, table in enumerate(self._layout)
            for trigger in _triggers(number, table)
        )
        # As a script: `execute` would fill the driver's cache, which then keeps nothing else.
        conn.executescript(";".join(("BEGIN", _MAKE, *triggers, "COMMIT")))

    def start(self) -> None:
        """Forget what a transaction noted that was rolled back."""
        self._has_noted = False

    def end(self, conn: Any) -> None:
        """Add the block of the open transaction (raw connection), just before its commit.

        The first block of a file takes all its rows as they are then.
        """
        if not self._has_noted:
            return
        noted = conn.execute(_TAKE).fetchall()
        if not noted:
            return
        conn.execute(_EMPTY)
        if self._has_begun:
            add_block(conn, self._key, to_micros(self._clock()), "written", noted, None)
        else:
            self.take_rows(conn, "begun")

    def take_rows(self, conn: Any, kind: str) -> None:
        """Add a block that takes all rows as they are (raw connection, inside a transaction)."""
        lines = whole_state(conn, self._key, self._layout)
        now = written_layout(self._key, self._layout)
        add_block(conn, self._key, to_micros(self._clock()), kind, lines, now)
        self._has_noted = True

    def ended(self) -> None:
        """Note that the transaction was committed."""
        self._has_begun = self._has_begun or self._has_noted

    def _digest(self, table: int, *values: CellValue) -> bytes:
        self._has_noted = True
        return self._key.row(table, *values)

    def _upgrade(self, conn: Any, whole: Block) -> None:
        """Go on with a chain under the columns of now.

        A last whole state that another program wrote is followed in nothing; the check names it.
        """
        if not is_linked(conn, self._key, whole):
            return
        conn.execute("BEGIN IMMEDIATE")
        try:
            before = _by_name(conn, self._key, read_layout(str(whole.layout))[1], self._layout)
            lines = (
                line._replace(before=before.get(line[:2], ABSENT))
                for line in whole_state(conn, self._key, self._layout)
            )
            now = written_layout(self._key, self._layout)
            add_block(conn, self._key, to_micros(self._clock()), "upgraded", lines, now)
        except BaseException:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            raise
        conn.execute("COMMIT")


def _by_name(
    conn: Any, key: ChainKey, older: tuple[CoveredTable, ...], layout: tuple[CoveredTable, ...]
) -> dict[tuple[int, int], bytes]:
    """Return the digests of the rows under the columns of before, by the numbers of now."""
    numbers = {table.name: number for number, table in enumerate(layout)}
    return {
        (numbers[older[line.table].name], line.row): line.after
        for line in whole_state(conn, key, older)
        if older[line.table].name in numbers
    }


def _triggers(number: int, table: CoveredTable) -> list[str]:
    new, old = (f"{_DIGEST}({number}, {table.values(of)})" for of in ("NEW.", "OLD."))
    new_row, old_row = table.row("NEW."), table.row("OLD.")
    return [
        f"CREATE TEMP TRIGGER chain_{number}_{event[:2]} AFTER {event} ON main.{table.name} BEGIN "
        f"INSERT INTO {NOTED} (tab, row, before, after) VALUES ({number}, {values}); END"
        for event, values in (
            ("INSERT", f"{new_row}, zeroblob(16), {new}"),
            (f"UPDATE OF {table.values()}", f"{new_row}, {old}, {new}"),
            ("DELETE", f"{old_row}, {old}, zeroblob(16)"),
        )
    ]
