"""Each write adds a block to the chain of its file, just before its commit."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store.chain.blocks import (
    NO_TABLE,
    Block,
    add_block,
    has_chain,
    is_linked,
    key_id_of,
    last_whole,
    packed,
    read_layout,
    whole_state,
    written_layout,
)
from afterword.pipeline.core.store.chain.cover import CoveredTable, layout_of
from afterword.pipeline.core.store.chain.noted import NotedRows
from afterword.pipeline.core.store.chain.seal import ABSENT, ChainKey
from afterword.pipeline.errors import CorruptStoreError

_NO_TABLE: Final = (
    f"group {{group}}: {NO_TABLE}; `afterword store restore BACKUP --group {{group}} --replace`"
)
_OTHER_KEY: Final = (
    "group {group}: nothing is written: its rows are sealed with another key than keys/hmac.key; "
    "put that key back from a backup, or take the rows as they are: "
    "`afterword store check --tamper --accept --group {group}`"
)


class ChainWatch:
    """Adds a block to the chain of one file for each transaction that writes a covered row.

    Args:
        key: loads the key of the chain, at the first write.
        clock: the present, for the time of a block.
        group: its name, for errors.
        on_begun: called once the first block of a chain is committed.
    """

    def __init__(
        self,
        key: Callable[[], ChainKey],
        clock: Clock,
        group: str,
        on_begun: Callable[[], None],
    ) -> None:
        self._load, self._clock, self._group, self._on_begun = key, clock, group, on_begun
        self.takes_other_keys = False
        """Whether the chain may go on under another key, as when the owner accepts its rows."""
        self._layout: tuple[CoveredTable, ...] = ()
        self._noted: NotedRows | None = None
        self._has_begun = self._begins = False

    @cached_property
    def _key(self) -> ChainKey:
        return self._load()

    def begin(self, conn: Any) -> None:
        """Prepare the writing connection (raw), inside the gate.

        Raises:
            CorruptStoreError: the chain was written with another key, or its table is gone.
        """
        key = self._key  # loaded here: an error inside a trigger would not say what it is
        if not has_chain(conn):
            raise CorruptStoreError(_NO_TABLE.format(group=self._group))
        self._layout = layout_of(conn)
        whole = last_whole(conn)
        self._has_begun = whole is not None
        if whole is not None and whole.layout != written_layout(key, self._layout):
            if key_id_of(whole) != key.id and not self.takes_other_keys:
                raise CorruptStoreError(_OTHER_KEY.format(group=self._group))
            self._upgrade(conn, whole)
        self._noted = NotedRows(conn, key, self._layout)

    def start(self) -> None:
        """Forget what a transaction noted that was rolled back."""
        self._begins = False
        if self._noted is not None:
            self._noted.clear()

    def end(self, conn: Any) -> None:
        """Add the block of the open transaction (raw connection), just before its commit.

        The first block of a file takes all its rows as they are then.
        """
        assert self._noted is not None, "the connection was prepared"
        entries = self._noted.entries(conn, now := to_micros(self._clock()))
        if entries and self._has_begun:
            add_block(conn, self._key, now, "written", entries, None)
        elif entries:
            self.take_rows(conn, "begun")

    def take_rows(self, conn: Any, kind: str) -> None:
        """Add a block that takes all rows as they are (raw connection, inside a transaction)."""
        at = to_micros(self._clock())
        entries = packed(whole_state(conn, self._key, self._layout, at))
        add_block(conn, self._key, at, kind, entries, written_layout(self._key, self._layout))
        self._begins = True

    def ended(self) -> None:
        """Note that the transaction was committed."""
        has_just_begun = self._begins and not self._has_begun
        self._has_begun = self._has_begun or self._begins
        if has_just_begun:
            self._on_begun()

    def _upgrade(self, conn: Any, whole: Block) -> None:
        """Go on with a chain under the columns of now.

        A last whole state that another program wrote is followed in nothing; the check names it.
        """
        if not is_linked(conn, self._key, whole):
            return
        conn.execute("BEGIN IMMEDIATE")
        try:
            before = _by_name(conn, self._key, read_layout(str(whole.layout))[1], self._layout)
            at = to_micros(self._clock())
            lines = (
                line._replace(before=before.get(line[:2], ABSENT))
                for line in whole_state(conn, self._key, self._layout, at)
            )
            now = written_layout(self._key, self._layout)
            add_block(conn, self._key, at, "upgraded", packed(lines), now)
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
