"""Back-test results of freqtrade."""

from collections.abc import Iterator
from typing import Any, Final

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.documents.markets import kind_of, quote_of
from afterword.pipeline.domain.documents.records import Record, records_of
from afterword.pipeline.domain.history.fill import ClosedTrade
from afterword.pipeline.rules.masking import mask

_KEYS: Final = frozenset({"pair", "open_rate", "close_rate", "fee_open", "fee_close", "profit_abs"})


def _strategies(document: Document) -> dict[str, list[Any]]:
    """Return the trades by strategy; empty if this is no such result."""
    content = document.content if document.form == "json" else None
    found = content.get("strategy") if isinstance(content, dict) else None
    if not isinstance(found, dict):
        return {}
    known = {name: one.get("trades") for name, one in found.items() if isinstance(one, dict)}
    return {name: trades for name, trades in known.items() if isinstance(trades, list)}


def _recognises(document: Document) -> bool:
    firsts = [trades[0] for trades in _strategies(document).values() if trades]
    return bool(firsts) and all(isinstance(one, dict) and one.keys() >= _KEYS for one in firsts)


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield closed trades; a strategy is an account below that of the file.

    The fee is a rate of what each side was worth; the profit is after fees and funding.
    """
    for strategy, trades in _strategies(document).items():
        for row in records_of(f"{document.name}: {mask(strategy[:40])}.trades", trades):
            if row.is_true("is_open"):
                yield LeftOut(row.line, "open trade")
            else:
                yield _trade(row, origin.account_of(strategy))


def _trade(row: Record, account: str) -> ClosedTrade:
    amount, entry, out = row.positive("amount"), row.price("open_rate"), row.price("close_rate")
    fees = amount * (entry * row.number("fee_open") + out * row.number("fee_close"))
    funding = row.number_or_zero("funding_fees")
    net = row.number("profit_abs")
    symbol = row.text("pair")
    return ClosedTrade(
        venue="freqtrade",
        account=account,
        symbol=symbol,
        kind=kind_of(symbol),
        direction="short" if row.is_true("is_short") else "long",
        size=amount,
        quote=quote_of(symbol),
        opened_at=row.moment("open_date"),
        closed_at=row.moment("close_date"),
        entry_px=entry,
        exit_px=out,
        gross=net + fees - funding,
        fees=fees,
        funding=funding,
        net=net,
        net_is_after="fees",
        label=row.text("enter_tag"),
        raw=row.raw(),
        line=row.line,
    )


LAYOUTS: Final = (
    Layout(
        "freqtrade-backtest", "freqtrade", "freqtrade, back-test result", (), _recognises, _read
    ),
)
