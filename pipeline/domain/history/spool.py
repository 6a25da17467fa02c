"""What one file holds, set aside until all of the file is known to be sound.

SQLite keeps them in a nameless file of its own that no crash leaves behind: memory does not grow
with the file. What only the whole file knows is found here: the order inside a moment, and which
fills are equal.
"""

import marshal
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from afterword.pipeline.domain.fills.checks import check_account, check_closed, check_fill
from afterword.pipeline.domain.fills.model import AccountMarket, ClosedTrade, Fill
from afterword.pipeline.domain.fills.rows import FileFill, FillColumns, columns_of
from afterword.pipeline.domain.fills.secrets import check_no_secret, masked
from afterword.pipeline.domain.history.spool_file import SpoolFile
from afterword.pipeline.domain.spot.checks import check_activity
from afterword.pipeline.domain.spot.model import SpotActivity
from afterword.pipeline.domain.spot.rows import ACTIVITY
from afterword.pipeline.domain.trips.closed_rows import FileTrade, closed_row

CACHE_KB: Final = 8_000
"""Pages of the spool in memory; kilobytes."""

BUFFER: Final = 1_000
"""Rows that one statement adds."""

# The columns of a fill are one value here: bound and read one by one they take twice the time.
# Only this process reads it, so it may have the form of this Python.
_SCHEMA: Final = f"""
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -{CACHE_KB};
CREATE TABLE fills (seq INTEGER PRIMARY KEY, account TEXT, market INTEGER, ts INTEGER, uid TEXT,
  equal TEXT, columns BLOB);
CREATE INDEX fills_moment ON fills (market, ts);
CREATE INDEX fills_uid ON fills (account, uid) WHERE uid IS NOT NULL;
CREATE TABLE trades (seq INTEGER PRIMARY KEY, account TEXT, ts INTEGER, uid TEXT, row TEXT);
CREATE TABLE activities (seq INTEGER PRIMARY KEY, equal TEXT, row BLOB);
BEGIN;
"""
_ADD: Final = (
    "INSERT INTO fills (account, market, ts, uid, equal, columns) VALUES (?, ?, ?, ?, ?, ?)"
)
# These walk an index: sorting would take memory that grows with the file.
_IN_ORDER: Final = """
SELECT market, ts, uid, equal, columns FROM fills INDEXED BY fills_moment
ORDER BY market, ts, seq
"""
_MOVES: Final = "SELECT ts, columns FROM fills WHERE market = ? ORDER BY ts, seq"
_TID: Final = FillColumns._fields.index("tid")
_SIDE: Final = FillColumns._fields.index("side")
_SIZE: Final = FillColumns._fields.index("size")
_PRICE: Final = FillColumns._fields.index("price")

_REPEATED: Final = """
SELECT account, uid FROM fills INDEXED BY fills_uid WHERE uid IS NOT NULL
GROUP BY account, uid HAVING count(*) > 1
"""
_EQUALS_OF: Final = """
SELECT count(DISTINCT equal) FROM fills WHERE account = ? AND uid = ?
"""
_TRADES: Final = """
SELECT seq, account, uid, row_number() OVER (PARTITION BY account, uid ORDER BY row) - 1, row
FROM trades WHERE seq > ? ORDER BY seq LIMIT ?
"""
_ACTIVITIES: Final = """
SELECT row_number() OVER (PARTITION BY equal ORDER BY seq) - 1, row FROM activities ORDER BY seq
"""
_SPANS: Final = """
SELECT account, sum(fills), sum(trades), min(first), max(last) FROM (
  SELECT (SELECT account FROM fills WHERE market = one.market LIMIT 1) AS account,
    fills, 0 AS trades, first, last
  FROM (
    SELECT market, count(*) AS fills, min(ts) AS first, max(ts) AS last
    FROM fills INDEXED BY fills_moment GROUP BY market) AS one
  UNION ALL
  SELECT account, 0, count(*), min(ts), max(ts) FROM trades GROUP BY account)
GROUP BY account ORDER BY account
"""
_EQUALS: Final = """
SELECT equal, count(*) FROM fills WHERE account = ? AND ts = ? AND uid IS NULL
GROUP BY equal
"""


class FileSpan(NamedTuple):
    """What a file holds of one account.

    Args:
        first_ms, last_ms: time of its first and last row.
        first_equal, last_equal: fills without an id at these moments, by what equal ones have in
            common; counts.
    """

    account: str
    fills: int
    closed_trades: int
    first_ms: int
    last_ms: int
    first_equal: dict[str, int]
    last_equal: dict[str, int]


class Move(NamedTuple):
    """A fill of a market: when (ms), signed units, price of one."""

    time_ms: int
    units: Decimal
    px: Decimal


class _SpooledFill(NamedTuple):
    """A fill that is set aside.

    Args:
        uid: its name; None where the other fills of its file decide it.
        equal: what equal fills have in common.
        columns: its `FillColumns`.
    """

    uid: str | None
    equal: str
    columns: tuple[Any, ...]


class Spool:
    """The items of one file; use it in a `with` block.

    Args:
        name: what messages call the file.
        masks: whether secrets in its rows are masked.

    Raises:
        UnavailableError: the temporary folder takes no more; by every method.
    """

    def __init__(self, name: str = "fills", *, masks: bool = False) -> None:
        self.name = name
        self.fills = 0
        self.trades = 0
        self.spot_activities = 0
        self.accounts: set[str] = set()
        self._masks = masks
        self._markets: dict[AccountMarket, int] = {}
        self._order = Counter[bool]()
        self._last_ms: int | None = None
        self._last_line = 0
        self._is_turned = False
        self._states = False
        self._buffer: list[tuple[Any, ...]] = []
        self._doubled: set[tuple[str, str]] = set()
        self._conn = SpoolFile(_SCHEMA)

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def markets(self) -> set[tuple[str, str, str, str]]:
        """Return account, symbol, venue and kind of the markets that its fills are of."""
        return {(one.account, one.symbol, one.venue, one.kind) for one in self._markets}

    def close(self) -> None:
        """Give up what is set aside."""
        self._conn.close()

    def add(self, item: Fill | ClosedTrade | SpotActivity) -> None:
        """Add the next item of the file.

        Raises:
            InvalidInputError: no column can hold it; the line is named.
        """
        if item.account not in self.accounts:
            place = f"{self.name}: line {item.line}" if item.line else self.name
            check_account(item.account, place)
            if self._masks:
                check_no_secret((item.account,), f"{place}: account")
            self.accounts.add(item.account)
        if isinstance(item, ClosedTrade):
            self._add_trade(item)
        elif isinstance(item, SpotActivity):
            self._add_activity(item)
        else:
            self._add_fill(item)

    def close_file(self) -> None:
        """End the file: all items are added now."""
        self._flush()
        # A name that stands for fills of different price, size or time takes these into it: ids of
        # some venues are not unique.
        self._doubled = {
            one
            for one in self._conn.execute(_REPEATED).fetchall()
            if self._conn.execute(_EQUALS_OF, one).fetchone()[0] > 1
        }

    def chunks(self, size: int) -> Iterator[list[FileFill]]:
        """Yield the fills market by market in the order of time, some at a time.

        So fills that are settled together lie together in the store.
        """
        chunk: list[FileFill] = []
        for _, moment in groupby(self._conn.rows(_IN_ORDER), key=itemgetter(0, 1)):
            fills = [
                _SpooledFill(uid, equal, marshal.loads(columns))
                for _, _, uid, equal, columns in moment
            ]
            chunk += self._named(fills)
            while len(chunk) >= size:
                yield chunk[:size]
                chunk = chunk[size:]
        if chunk:
            yield chunk

    def moves(self, account: str, symbol: str) -> Iterator[Move]:
        """Yield what the fills of a market did, by time."""
        for market, number in self._markets.items():
            if (market.account, market.symbol) == (account, symbol):
                for at, dumped in self._conn.rows(_MOVES, (number,)):
                    columns = marshal.loads(dumped)
                    size, px = Decimal(columns[_SIZE]), Decimal(columns[_PRICE])
                    yield Move(at, size if columns[_SIDE] == "B" else -size, px)

    def closed_trades(self, size: int) -> Iterator[list[FileTrade]]:
        """Yield the closed trades in the order of the file, some at a time."""
        trades: list[FileTrade] = []
        # Equal trades without an id are counted over the whole file, so there is one statement.
        for _, account, uid, occurrence, row in self._conn.rows(_TRADES, (0, -1)):
            is_named = not uid.endswith("#")
            trades.append(FileTrade(account, uid if is_named else f"{uid}{occurrence}", row))
            if len(trades) == size:
                yield trades
                trades = []
        if trades:
            yield trades

    def activities(self, size: int) -> Iterator[list[tuple[SpotActivity, int]]]:
        """Yield what a wallet did in the order of the file, some at a time.

        Each comes with the number of equal ones before it: one transaction can swap twice alike.
        """
        chunk: list[tuple[SpotActivity, int]] = []
        for equals, row in self._conn.rows(_ACTIVITIES):
            chunk.append((ACTIVITY.read(marshal.loads(row)), equals))
            if len(chunk) == size:
                yield chunk
                chunk = []
        if chunk:
            yield chunk

    def spans(self) -> list[FileSpan]:
        """Return what the file holds of each account."""
        spans = []
        for account, fills, trades, first, last in self._conn.execute(_SPANS).fetchall():
            equals = [
                dict(self._conn.execute(_EQUALS, (account, at)).fetchall()) for at in (first, last)
            ]
            spans.append(FileSpan(account, fills, trades, first, last, equals[0], equals[1]))
        return spans

    def _add_fill(self, fill: Fill) -> None:
        place = f"{self.name}: line {fill.line}" if fill.line else self._place(self.fills)
        check_fill(fill, place)
        if self._masks:
            names = (fill.symbol, fill.quote, fill.oid, fill.tid, fill.cloid, fill.dir)
            check_no_secret((*names, fill.base, fill.fee_token), place)
        self.fills += 1
        last, self._last_ms = self._last_ms, fill.time_ms
        if last is not None and last != fill.time_ms:
            self._order[last < fill.time_ms] += 1
        # Rows of one moment that come from the last one up: their reader knew that it is the first.
        self._is_turned = self._is_turned or (last == fill.time_ms and fill.line < self._last_line)
        self._last_line = fill.line
        self._states = self._states or fill.start_position is not None
        market = self._markets.setdefault(fill.market, len(self._markets))
        uid = fill.fill_uid if fill.is_named else None
        columns = columns_of(fill, masked(fill.raw) if self._masks else fill.raw)
        dumped = marshal.dumps(tuple(columns))
        self._buffer.append((fill.account, market, fill.time_ms, uid, fill.equal_to, dumped))
        if len(self._buffer) >= BUFFER:
            self._flush()

    def _add_trade(self, trade: ClosedTrade) -> None:
        place = f"{self.name}: line {trade.line}"
        check_closed(trade, place)
        self.trades += 1
        if self._masks:
            check_no_secret((trade.symbol, trade.quote, trade.trade_id), place)
            trade = replace(trade, raw=masked(trade.raw), label=masked(trade.label))
        uid, closed_ms, row = closed_row(trade)
        self._conn.execute(
            "INSERT INTO trades (account, ts, uid, row) VALUES (?, ?, ?, ?)",
            (trade.account, closed_ms, uid, row),
        )

    def _add_activity(self, activity: SpotActivity) -> None:
        check_activity(activity, f"{self.name}: line {activity.line}")
        self.spot_activities += 1
        if self._masks:
            activity = replace(activity, raw=masked(activity.raw))
        equal = (activity.account, activity.chain, activity.tx_hash, *activity.content)
        self._conn.execute(
            "INSERT INTO activities (equal, row) VALUES (?, ?)",
            ("\n".join(map(str, equal)), marshal.dumps(ACTIVITY.write(activity))),
        )

    def _flush(self) -> None:
        self._conn.executemany(_ADD, self._buffer)
        self._buffer.clear()

    def _named(self, moment: list[_SpooledFill]) -> Iterator[FileFill]:
        """Yield the fills of one moment of a market with their names and places."""
        counts: dict[str, int] = {}
        for rank, (uid, equal, columns) in enumerate(self._oldest_first(moment)):
            account = columns[0]
            if uid is None:
                counts[equal] = counts.get(equal, -1) + 1
                uid = f"{equal}#{counts[equal]}"
            elif (account, uid) in self._doubled:
                uid = f"{uid}/{equal}"
            yield FileFill(account, uid, rank, columns)

    def _oldest_first(self, moment: list[_SpooledFill]) -> list[_SpooledFill]:
        """Return the fills of one moment in the order of their ids, if these are numbers.

        Else the file tells the order, whichever way round it is, and equal fills stand in the order
        of their rows: read backwards, a file names each row as before.
        """
        if len(moment) == 1:
            return moment
        tids = [fill.columns[_TID] for fill in moment]
        if all(tid and tid.isdecimal() for tid in tids):
            if len(set(tids)) < len(tids):
                moment = sorted(moment, key=_content)
            return sorted(moment, key=_number)
        # Positions tell the order better than the file does, whichever way round it is.
        falls = self._order[False] > self._order[True]
        is_newest_first = falls and not self._states and not self._is_turned
        equals: dict[str, list[_SpooledFill]] = {}
        for fill in sorted(moment, key=_content, reverse=True):
            equals.setdefault(fill.equal, []).append(fill)
        in_order = reversed(moment) if is_newest_first else moment
        return [equals[fill.equal].pop() for fill in in_order]

    def _place(self, index: int) -> str:
        return f"{self.name}[{index}]"


def _number(fill: _SpooledFill) -> tuple[int, str]:
    """Return the id of a fill so that ids are sorted as numbers."""
    tid = fill.columns[_TID]
    return len(tid), tid


def _content(fill: _SpooledFill) -> str:
    """Return what tells two fills of one moment apart, but their places in the file."""
    return repr((fill.equal, *fill.columns))
