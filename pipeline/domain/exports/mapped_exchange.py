"""One row of a table that says which amounts changed hands: `got` so many coins, `gave` others."""

from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.exports.mapped_row import MappedRow
from afterword.pipeline.domain.exports.money import amount_of
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, LeftOut
from afterword.pipeline.domain.layouts.legs import BROKEN, Leg, exchange_of
from afterword.pipeline.rules.tabular.numbers import is_blank

_ONE_SIDED: Final = "one amount only"
_OF_NOTHING: Final = "trade of 0"
_TRADES: Final = frozenset({"trade", "buy", "sell", "swap", "exchange", "convert", "conversion"})
_ZERO: Final = Decimal(0)


def exchange(trade: MappedRow) -> Item:
    """Return the exchange of two coins that a row holds, as a fill of one in the other.

    A row with one amount moved coins and is no trade.
    """
    word, line = trade.text("side").lower(), trade.row.line
    if trade.is_skipped("side"):
        return trade.left_out(word)
    got, gave = _amount(trade, "got"), _amount(trade, "gave")
    if not got or not gave:
        missing = "gave" if got else "got"
        if word in _TRADES and is_blank(trade.text(missing)):
            raise trade.refusal(missing, "the other amount of a trade")
        return trade.left_out(_OF_NOTHING if word in _TRADES else word or _ONE_SIDED)
    fee = trade.fee()
    token = _coin_of_fee(trade) if fee else ""
    made = exchange_of(
        (
            Leg(line, _coin(trade, "got"), got, _ZERO, ""),
            Leg(line, _coin(trade, "gave"), -gave, _ZERO, ""),
            Leg(line, token, _ZERO, fee or _ZERO, ""),
        )
    )
    if made is None:
        return LeftOut(line, BROKEN)
    return Fill(
        venue=trade.mapped.mapping.program.venue,
        account=trade.account(),
        symbol=f"{made.base}/{made.quote}",
        kind="spot",
        **made._asdict(),
        fee_is_known=fee is not None,
        time_ms=to_micros(trade.moment("time")) // 1_000,
        is_day=trade.is_day("time"),
        oid=trade.text("order") or None,
        tid=trade.text("id") or None,
        raw=trade.cells.raw(),
        line=line,
    )


def _amount(trade: MappedRow, key: str) -> Decimal:
    return abs(trade.number_or_none(key) or _ZERO)


def _coin(trade: MappedRow, key: str) -> str:
    """Return the coin of an amount, by its column or the unit in its cell."""
    coin = trade.text(f"{key}_coin") or amount_of(trade.text(key)).unit
    if not coin or len(coin) > 24 or not coin.isprintable():
        column = f"{key}_coin"
        raise trade.refusal(column, f"the name of a coin; or {column}=COLUMN in --columns")
    return _named(trade, coin)


def _coin_of_fee(trade: MappedRow) -> str:
    coin = trade.text("fee_token") or amount_of(trade.text("fee")).unit
    if not coin:
        raise trade.refusal("fee", "a fee of 0, or fee_token=COLUMN in --columns")
    return _named(trade, coin)


def _named(trade: MappedRow, coin: str) -> str:
    """Return the name of a coin; the program may have a word of its own for a currency."""
    coin = coin.upper() if coin.islower() else coin
    return trade.mapped.mapping.program.currencies.get(coin, coin)
