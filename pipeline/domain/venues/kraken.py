"""Exports of Kraken: trades, and the ledger whose legs are joined by their `refid`."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC
from functools import lru_cache
from typing import Final, Literal

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin, line_of
from afterword.pipeline.domain.layouts.legs import BROKEN, LEG, Leg, exchange_of, raw_of
from afterword.pipeline.domain.layouts.pairs import split_pair
from afterword.pipeline.domain.layouts.transfers import Transfer, bounded
from afterword.pipeline.errors import InvalidInputError

_TRADES: Final = (
    "txid",
    "ordertxid",
    "pair",
    "time",
    "type",
    "price",
    "cost",
    "fee",
    "vol",
    "margin",
    "misc",
)
_LEDGERS: Final = ("txid", "refid", "time", "type", "asset", "amount", "fee", "balance")
_TIMES: Final = ("%Y-%m-%d %H:%M:%S", "iso")

_OWN_NAMES: Final = {"XBT": "BTC", "XDG": "DOGE"}
_LEGACY_COINS: Final = ("XBT", "ETH", "LTC", "XRP", "XLM", "ETC", "XDG", "XMR", "ZEC", "REP", "MLN")
_LEGACY: Final = frozenset(
    [f"X{name}" for name in _LEGACY_COINS]
    + [f"Z{name}" for name in ("EUR", "USD", "GBP", "CAD", "JPY", "AUD")]
)
"""The venue's first coins and currencies bear a letter before their name."""

_REASONS: Final = {
    "margin": "margin fee",
    "rollover": "interest",
    "earn": "reward",
    "staking": "staking",
    "dividend": "reward",
    "reward": "reward",
}
_TRANSFERS: Final = ("deposit", "withdrawal")
"""Types of rows with coins that come from elsewhere or go there; a `transfer` stays here."""

_TRADE_TYPES: Final = frozenset({"trade", "spend", "receive", "conversion", "sale"})


@lru_cache(maxsize=1024)
def coin_of(asset: str) -> str:
    """Return the usual name of an asset: `XXBT` and `XBT` are `BTC`, `ZUSD` is `USD`."""
    bare = asset[1:] if asset in _LEGACY else asset
    return _OWN_NAMES.get(bare, bare)


@lru_cache(maxsize=1024)
def pair_of(pair: str) -> tuple[str, str] | None:
    """Return base and quote of `XXBTZEUR`, `ADAUSDT`, `XBT/USD`, under their usual names.

    The letter before a quote is there only in pairs of eight: `XTZEUR` is `XTZ` and `EUR`.
    """
    is_long = pair[4:] in _LEGACY
    if is_long and (pair[:4] in _LEGACY or pair[:4] in ("USDT", "USDC")):
        return coin_of(pair[:4]), coin_of(pair[4:])
    coins = split_pair(pair)
    return None if coins is None else (coin_of(coins[0]), coin_of(coins[1]))


def _trades(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield fills; those on margin are no coins that are owned, they open and close a position.

    So that they are not netted with what is owned they belong to an account of their own.
    """
    for row in cells_of(document, *_TRADES):
        pair = pair_of(row.text("pair"))
        if pair is None:
            raise row.refusal("pair", "a pair whose quote is known, such as XXBTZEUR or XBT/EUR")
        effect = _effect(row)
        yield Fill(
            venue="kraken",
            account=origin.account_of("margin" if effect else ""),
            symbol=row.text("pair"),
            kind="spot",
            base=pair[0],
            quote=pair[1],
            side=row.side("type", ("buy",), ("sell",)),
            px=row.positive("price"),
            sz=row.positive("vol"),
            time_ms=row.millis("time", UTC, *_TIMES),
            fee=row.number_or_zero("fee"),
            fee_token=pair[1],
            oid=row.text("ordertxid") or None,
            tid=row.text("txid") or None,
            effect=effect,
            raw=row.raw(),
            line=row.line,
        )


def _effect(row: Cells) -> Literal["open", "close"] | None:
    """Return what a trade on margin does; None for one with own money."""
    words = row.text("misc").casefold()
    if "clos" in words:
        return "close"
    return "open" if "initiated" in words or row.number_or_zero("margin") > 0 else None


def _ledgers(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield the trades of legs with one `refid`; the fee is taken on top of an amount."""
    items: list[Item] = []
    transfers: list[Transfer] = []
    groups: dict[str, list[tuple[int, Leg]]] = {}
    for row in cells_of(document, *_LEDGERS):
        sort = row.text("type").casefold()
        if not row.text("txid"):
            items.append(LeftOut(row.line, "pending entry"))
        elif sort in _TRADE_TYPES:
            leg = Leg(
                row.line,
                row.text("asset"),
                row.number("amount"),
                row.number_or_zero("fee"),
                row.raw(),
            )
            moment = row.millis("time", UTC, *_TIMES)
            groups.setdefault(row.text("refid"), []).append((moment, leg))
        else:
            if sort in _TRANSFERS:
                with suppress(InvalidInputError):  # a row that is no trade refuses no file
                    moved = row.number("amount") - row.number_or_zero("fee")
                    moment = row.millis("time", UTC, *_TIMES)
                    transfers.append(Transfer(coin_of(row.text("asset")), moved, moment))
            known = (*_TRANSFERS, "transfer", "adjustment")
            reason = _REASONS.get(sort, sort if sort in known else "other row")
            items.append(LeftOut(row.line, reason))
    for refid, group in groups.items():
        items += _trade(refid, group, origin)
    yield from bounded(sorted(items, key=line_of), transfers)


def _trade(refid: str, group: list[tuple[int, Leg]], origin: Origin) -> Iterator[Item]:
    legs = [leg for _, leg in group]
    names = {coin_of(leg.coin): leg.coin for leg in legs}
    exchange = exchange_of(leg._replace(coin=coin_of(leg.coin)) for leg in legs)
    if exchange is None or not refid:
        yield from (LeftOut(leg.line, BROKEN) for leg in legs)
        return
    yield Fill(
        venue="kraken",
        account=origin.account,
        symbol=names[exchange.base] + names[exchange.quote],
        kind="spot",
        **exchange._asdict(),
        time_ms=group[0][0],
        tid=refid,
        raw=raw_of(legs),
        line=legs[0].line,
    )
    yield from (LeftOut(leg.line, LEG) for leg in legs[1:])


LAYOUTS: Final = (
    Layout(
        "kraken-trades", "kraken", "Kraken, trades.csv", _TRADES, has_columns(*_TRADES), _trades
    ),
    Layout(
        "kraken-ledgers",
        "kraken",
        "Kraken, ledgers.csv",
        _LEDGERS,
        has_columns(*_LEDGERS),
        _ledgers,
    ),
)
