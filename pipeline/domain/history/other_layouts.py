"""Which fills of a file the store has from a file of another layout, and which are unclear."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.fills import rows
from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.fills.rows import FileFill
from afterword.pipeline.domain.history.files import FileMark, KnownFile, SetAside, known_files
from afterword.pipeline.domain.history.spool import FileSpan, Spool
from afterword.pipeline.domain.history.twins import Market, Span, TradedAmount, Twins, find_twins

_MINUTE_MS: Final = 60_000
"""The coarsest clock of a layout; milliseconds."""

_READ: Final = 1_000
"""Fills of the file that one look at the store asks for."""

_THEIRS: Final = text("""
SELECT sub_account_id, symbol, venue, kind, side, ts_ms, size, price, multiplier, fill_uid
FROM perps_fills
WHERE sub_account_id = :account AND ts_ms BETWEEN :first AND :last
  AND layout NOT IN ('', :layout)
ORDER BY id
""")


class OtherLayouts:
    """The fills of a file, held against those that files of other layouts brought.

    Args:
        file: None where no file brings the fills: all of them are stored.

    Attributes:
        twins: fills left out so far, since another layout brought them; count.
        unclear: fills set aside so far; count.
    """

    def __init__(self, store: Store, spool: Spool, file: FileMark | None) -> None:
        self.twins = 0
        self.unclear = 0
        self._found: dict[str, Twins] = {}
        self._others: dict[str, tuple[str, ...]] = {}
        self._aside: dict[Market, Counter[int]] = {}  # fills by moment
        self._markets = spool.markets
        if file is not None:
            self._compare(store, spool, file)

    def take(self, fills: list[FileFill]) -> list[FileFill]:
        """Return those of the fills that are stored, and count the others."""
        if not self._found:
            return fills
        return [one for one in fills if not self._is_left_out(one)]

    def set_aside(self, span: FileSpan, before: Sequence[SetAside]) -> list[SetAside]:
        """Return what is set aside of an account, each fill once.

        A file that comes again brings the same fills, and a mirror some of them.

        Args:
            before: of this file; what is in the span of these fills was compared anew.
        """
        stays = [
            part
            for part in before
            if (span.account, *part[:3]) not in self._markets
            or part.first_ms < span.first_ms
            or span.last_ms < part.last_ms
        ]
        aside = list(stays)
        for (account, symbol, venue, kind), fills in sorted(self._aside.items()):
            market = symbol, venue, kind
            known = [(part.first_ms, part.last_ms) for part in stays if part[:3] == market]
            new = {
                time_ms: number
                for time_ms, number in fills.items()
                if not any(first <= time_ms <= last for first, last in known)
            }
            if account == span.account and new:
                fills_new, others = sum(new.values()), self._others[account]
                aside.append(SetAside(*market, min(new), max(new), fills_new, others))
        return aside

    def _compare(self, store: Store, spool: Spool, file: FileMark) -> None:
        known: dict[str, list[KnownFile]] = {}
        with reading(store) as conn:
            for account in sorted(spool.accounts):
                files = known_files(conn, account)
                known[account] = [one for one in files if one.layout != file.layout]
        for span in spool.spans() if any(known.values()) else ():
            meeting = [one for one in known[span.account] if _meet(one, span)]
            if not meeting:
                continue
            common = [_common(one, span) for one in meeting]
            with reading(store) as conn:
                self._found[span.account] = _twins(conn, spool, file, span.account, common)
            self._others[span.account] = tuple(sorted({one.layout for one in meeting}))

    def _is_left_out(self, fill: FileFill) -> bool:
        twins = self._found.get(fill.account)
        if twins is None:
            return False
        told = _told(fill)
        verdict = twins.verdict(told.market, told.side, told.time_ms)
        self.twins += verdict == "twin"
        self.unclear += verdict == "unclear"
        if verdict == "unclear":
            self._aside.setdefault(told.market, Counter())[told.time_ms] += 1
        return verdict is not None


def _meet(file: KnownFile, span: FileSpan) -> bool:
    """Tell files that overlap, to the minute: one of them may count in minutes."""
    first, last = max(file.first_ms, span.first_ms), min(file.last_ms, span.last_ms)
    return first // _MINUTE_MS <= last // _MINUTE_MS


def _common(file: KnownFile, span: FileSpan) -> Span:
    ends = max(file.first_ms, span.first_ms), min(file.last_ms, span.last_ms)
    return Span(min(ends), max(ends))


def _twins(
    conn: Connection, spool: Spool, file: FileMark, account: str, common: list[Span]
) -> Twins:
    first = min(one.first_ms for one in common) // _MINUTE_MS * _MINUTE_MS
    last = max(one.last_ms for one in common) // _MINUTE_MS * _MINUTE_MS + _MINUTE_MS - 1
    values = {"account": account, "layout": file.layout, "first": first, "last": last}
    amounts = ((row.fill_uid, _of_columns(row)) for row in conn.execute(_THEIRS, values))
    held = spool.markets
    theirs = {uid: one for uid, one in amounts if one.market in held}
    if not theirs:
        return Twins(1, {})
    markets = {one.market for one in theirs.values()}
    ours: list[TradedAmount] = []
    for chunk in spool.chunks(_READ):
        for fill in chunk:
            theirs.pop(fill.fill_uid if fill.account == account else "", None)
        new, _ = rows.new_fills(conn, chunk)
        told = map(_told, new)
        ours += (one for one in told if one.market in markets and first <= one.time_ms <= last)
    return find_twins(ours, list(theirs.values()), common)


def _told(fill: FileFill) -> TradedAmount:
    return _of_columns(rows.FillColumns(*fill.row))  # type: ignore[arg-type]


def _of_columns(row: Any) -> TradedAmount:
    units = EXACT.multiply(Decimal(row.size), Decimal(row.multiplier))
    return TradedAmount(
        (row.sub_account_id, row.symbol, row.venue, row.kind),
        row.side,
        row.ts_ms,
        units,
        EXACT.multiply(units, Decimal(row.price)),
    )
