"""The trade history of Bisq: one row for a trade between two people."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.rules.tabular.numbers import is_blank

_COLUMNS: Final = (
    *("Trade ID", "Date/Time", "Market", "Price", "Amount in BTC", "Amount", "Currency"),
    *("Transaction Fee", "Trade Fee BTC", "Trade Fee BSQ", "Offer type", "Status"),
)
_DONE: Final = "completed"
_REASONS: Final = {
    "canceled": "cancelled offer",
    "mediated": "mediated trade, whose payout the file does not say",
    "arbitrated": "arbitrated trade, whose payout the file does not say",
}
_FEES: Final = ("BTC", "BSQ")


def _read(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield completed trades; fees of miners are not counted: they are of the transfer of coins."""
    for row in cells_of(document, *_COLUMNS):
        status = row.text("Status").casefold()
        if status == _DONE:
            yield _fill(row, origin)
        elif status in _REASONS:
            yield LeftOut(row.line, _REASONS[status])
        else:
            raise row.refusal("Status", ", ".join((_DONE, *_REASONS)))


def _fill(row: Cells, origin: Origin) -> Fill:
    base, _, quote = row.text("Market").partition("/")
    if "BTC" not in (base, quote):
        raise row.refusal("Market", "a market of BTC, such as BTC/EUR or XMR/BTC")
    fee, token = _fee(row)
    return Fill(
        venue="bisq",
        account=origin.account,
        symbol=row.text("Market"),
        kind="spot",
        base=base,
        quote=quote,
        side=_side(row, base),
        px=row.positive("Price"),
        sz=row.positive("Amount in BTC" if base == "BTC" else "Amount"),
        time_ms=row.millis("Date/Time", origin.zone_or_refuse(), "%d %b %Y %H:%M:%S"),
        fee=fee or Decimal(0),
        fee_is_known=fee is not None,
        fee_token=token,
        tid=row.text("Trade ID") or None,
        raw=row.raw(),
        line=row.line,
    )


def _side(row: Cells, base: str) -> Literal["B", "A"]:
    """Return the side of the one whose history it is, offered or taken: `Sell BTC`."""
    coin = base.casefold()
    return row.side("Offer type", (f"buy {coin}",), (f"sell {coin}",))


def _fee(row: Cells) -> tuple[Decimal | None, str | None]:
    """Return what Bisq took, in BTC or in its own coin."""
    for coin in _FEES:
        column = f"Trade Fee {coin}"
        if not is_blank(row.text(column)):
            return row.price(column), coin
    return None, None


LAYOUTS: Final = (
    Layout("bisq-trades", "bisq", "Bisq, trade history", _COLUMNS, has_columns(*_COLUMNS), _read),
)
