"""Back-test results of freqtrade."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, NamedTuple

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.records import Record, records_of
from afterword.pipeline.domain.fills.model import AVERAGE, ClosedTrade
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.layouts.markets import kind_of, quote_of
from afterword.pipeline.domain.trips.ledger import disagree
from afterword.pipeline.rules.masking import mask

_KEYS: Final = frozenset({"pair", "open_rate", "close_rate", "fee_open", "fee_close", "profit_abs"})

CONTRADICTED: Final = (
    "profit_abs, which the prices, the fees and profit_ratio of its trade contradict"
)
"""Some results hold the profit before fees in `profit_abs`, or that of one unit."""

_RATIO: Final = Decimal("0.00001")
"""How exactly `profit_ratio` is written at least."""


class _Result(NamedTuple):
    """What a trade came to by its prices, its fees and its funding, in the quote currency."""

    gross: Decimal
    fees: Decimal
    funding: Decimal
    cost: Decimal

    @property
    def net(self) -> Decimal:
        return self.gross - self.fees + self.funding


def _strategies(document: Document) -> dict[str, list[Any]]:
    """Return the trades by strategy; empty if this is no such result."""
    content = document.content if document.form == "json" else None
    strategies = content.get("strategy") if isinstance(content, dict) else None
    if not isinstance(strategies, dict):
        return {}
    known = {name: one.get("trades") for name, one in strategies.items() if isinstance(one, dict)}
    return {name: trades for name, trades in known.items() if isinstance(trades, list)}


def _recognises(document: Document) -> bool:
    firsts = [trades[0] for trades in _strategies(document).values() if trades]
    return bool(firsts) and all(isinstance(one, dict) and one.keys() >= _KEYS for one in firsts)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield closed trades; a strategy is an account below that of the file.

    An account that ends with the name of one of several strategies is that of this one alone.
    """
    strategies = _strategies(document)
    above, _, wanted = origin.account.rpartition("/")
    if above and wanted in strategies:
        strategies, origin = {wanted: strategies[wanted]}, replace(origin, account=above)
    for strategy, trades in strategies.items():
        for row in records_of(f"{document.name}: {mask(strategy[:40])}.trades", trades):
            if row.is_true("is_open"):
                yield LeftOut(row.line, "open trade")
            else:
                yield from _trade(row, origin.account_of(strategy))


def _trade(row: Record, account: str) -> Iterator[Item]:
    """Yield a closed trade, and its `profit_abs` as left out where the file itself contradicts it.

    Where `profit_ratio` does not decide between the two, the stated profit counts, and the trade
    is flagged, because its prices make another one.
    """
    symbol = row.text("pair")
    quote = quote_of(symbol)
    result, stated = _result(row), row.number("profit_abs")
    is_contradicted = disagree(result.net, stated, quote) and _is_confirmed(row, result)
    if is_contradicted:
        yield LeftOut(row.line, CONTRADICTED)
    net = result.net if is_contradicted else stated
    yield ClosedTrade(
        venue="freqtrade",
        account=account,
        symbol=symbol,
        kind=kind_of(symbol),
        direction="short" if row.is_true("is_short") else "long",
        size=row.positive("amount"),
        quote=quote,
        opened_at=row.moment("open_date"),
        closed_at=row.moment("close_date"),
        entry_px=row.price("open_rate"),
        exit_px=row.price("close_rate"),
        gross=net + result.fees - result.funding,
        fees=result.fees,
        funding=result.funding,
        net=net,
        net_is_after="fees",
        label=row.text("enter_tag"),
        raw=row.raw(),
        line=row.line,
    )


def _result(row: Record) -> _Result:
    """Return what a trade came to; the fee is a rate of what each side was worth."""
    amount = row.positive("amount")
    entry, exited = amount * row.price("open_rate"), amount * row.price("close_rate")
    entry_fee, exit_fee = entry * row.number("fee_open"), exited * row.number("fee_close")
    is_short = row.is_true("is_short")
    return _Result(
        gross=entry - exited if is_short else exited - entry,
        fees=entry_fee + exit_fee,
        funding=row.number_or_zero("funding_fees"),
        cost=entry - entry_fee if is_short else entry + entry_fee,
    )


def _is_confirmed(row: Record, result: _Result) -> bool:
    """Tell whether `profit_ratio`, a share of what was staked, is that of a result."""
    ratio, leverage = row.number_or_none("profit_ratio"), row.number_or_none("leverage") or 1
    if ratio is None or not result.cost:
        return False
    return abs(AVERAGE.divide(result.net * leverage, result.cost) - ratio) <= _RATIO


LAYOUTS: Final = (
    Layout(
        *("freqtrade-backtest", "freqtrade", "freqtrade, back-test result", (), _recognises, _read),
        has_alternatives=True,
    ),
)
