"""What Hyperliquid says of an address's money, read strictly: a reply that is odd is a failure."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import reduce
from typing import Any, Final, NamedTuple

from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.gateway.venue.info import VenueInfo
from afterword.pipeline.gateway.venue.model import InfoRequest

USDC_TOKEN: Final = 0
"""Index of USDC, in which the venue writes its values; it counts as one dollar."""

_STATE_BYTES: Final = 1_048_576
"""Size limit of one account's positions or balances; bytes."""

_MARKETS_BYTES: Final = 8_388_608
"""Size limit of a list of all markets; bytes."""

_NUMBER: Final = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,20})?")
_TOKEN: Final = re.compile(r"[A-Za-z0-9@#:/._+-]{1,64}")

_SHARED_BALANCES: Final[Mapping[str, bool]] = {
    "unifiedAccount": True,
    "portfolioMargin": True,
    "default": False,
    "disabled": False,
    "dexAbstraction": False,
}
"""Whether spot balances are the margin of perpetuals, by the venue's name of the account's mode.
Source: Hyperliquid docs, "Account abstraction modes" and `userAbstraction`."""


class PerpState(NamedTuple):
    """What an address has in one dex, in the dex's collateral.

    Args:
        equity: unrealised profit included.
        unrealised: profit of the positions that are open.
        positions: signed units of each open position, by symbol.
        time_ms: by the venue's clock, UTC milliseconds; None where it does not say it.
    """

    equity: Decimal
    unrealised: Decimal
    positions: Mapping[str, Decimal]
    time_ms: int | None


class TokenBalance(NamedTuple):
    """What an address holds of one token.

    Args:
        token: the venue's index; None for what has none, such as a share in a prediction.
        name: for people.
        total: units, those in orders and margins included; negative where they are owed.
    """

    token: int | None
    name: str
    total: Decimal


def shares_balances(venue: VenueInfo, address: str) -> bool:
    """Return whether spot balances of an address are the margin of its perpetuals.

    Then all of its money is among its spot balances, marked to the market, and its states by dex
    tell of the same money again.

    Raises:
        AskFailedError: no usable reply, or a mode that is not known; see `HyperliquidInfo.ask` for
            the others, here and below.
    """
    mode: Any = venue.ask(InfoRequest("userAbstraction", {"user": address}, 1))
    shared = _SHARED_BALANCES.get(mode) if isinstance(mode, str) else None
    if shared is None:
        raise AskFailedError("Hyperliquid sent a mode of an account that is not known")
    return shared


def perp_dexes(venue: VenueInfo) -> tuple[str, ...]:
    """Return the names of the venues for perpetuals inside Hyperliquid; the first is empty."""
    reply: Any = venue.ask(InfoRequest("perpDexs", {}, 1, _MARKETS_BYTES))
    if not isinstance(reply, list) or not reply or reply[0] is not None:
        raise AskFailedError("Hyperliquid sent no list of perpetual dexes")
    return ("", *(_text(dex, "name") for dex in reply[1:]))


def perp_state(venue: VenueInfo, address: str, dex: str) -> PerpState:
    """Return what an address has in one dex."""
    fields = {"user": address, **({"dex": dex} if dex else {})}
    reply: Any = venue.ask(InfoRequest("clearinghouseState", fields, 1, _STATE_BYTES))
    state = reply if isinstance(reply, Mapping) else {}
    rows = state.get("assetPositions")
    if not isinstance(rows, list):
        raise AskFailedError("Hyperliquid sent no list of positions")
    held = [row.get("position") if isinstance(row, Mapping) else None for row in rows]
    moment = state.get("time")
    return PerpState(
        equity=_number(state.get("marginSummary"), "accountValue"),
        unrealised=reduce(EXACT.add, (_number(row, "unrealizedPnl") for row in held), Decimal(0)),
        positions={_text(position, "coin"): _number(position, "szi") for position in held},
        time_ms=moment if type(moment) is int and moment >= 0 else None,
    )


def collateral_of(venue: VenueInfo, dex: str) -> int:
    """Return the index of the token that a dex keeps its accounts in."""
    meta: Any = venue.ask(InfoRequest("meta", {"dex": dex}, 1, _MARKETS_BYTES))
    return _index(meta, "collateralToken")


def spot_balances(venue: VenueInfo, address: str) -> tuple[TokenBalance, ...]:
    """Return what an address holds of each token; nothing of it is left out but zeros."""
    fields = {"user": address}
    state: Any = venue.ask(InfoRequest("spotClearinghouseState", fields, 1, _STATE_BYTES))
    rows = state.get("balances") if isinstance(state, Mapping) else None
    if not isinstance(rows, list):
        raise AskFailedError("Hyperliquid sent no list of spot balances")
    return tuple(balance for balance in map(_balance, rows) if balance.total)


def token_prices(venue: VenueInfo) -> dict[int, Decimal]:
    """Return what a unit of each spot token is worth in USD, by the venue's mark.

    A token that trades against another one than USDC is worth what that one is worth.
    """
    reply: Any = venue.ask(InfoRequest("spotMetaAndAssetCtxs", {}, 1, _MARKETS_BYTES))
    if not isinstance(reply, list) or len(reply) != 2 or not isinstance(reply[1], list):
        raise AskFailedError("Hyperliquid sent no list of spot markets")
    # By name: the two lists are not in the same order.
    marks = {_text(market, "coin"): market.get("markPx") for market in reply[1]}
    prices = {USDC_TOKEN: Decimal(1)}
    for quote, _, base, name in sorted(_pairs(reply[0])):
        mark = marks.get(name)
        price = Decimal(mark) if isinstance(mark, str) and _NUMBER.fullmatch(mark) else None
        if price and quote in prices:
            prices.setdefault(base, EXACT.multiply(price, prices[quote]))
    return prices


def _pairs(meta: Any) -> Iterator[tuple[int, int, int, str]]:
    """Yield quote, index, base and name of each spot market: those against USDC sort first."""
    universe = meta.get("universe") if isinstance(meta, Mapping) else None
    if not isinstance(universe, list):
        raise AskFailedError("Hyperliquid sent no list of spot markets")
    for market in universe:
        tokens = market.get("tokens") if isinstance(market, Mapping) else None
        if not isinstance(tokens, list) or [type(token) for token in tokens] != [int, int]:
            raise AskFailedError("Hyperliquid sent a spot market without its two tokens")
        base, quote = tokens
        yield quote, _index(market, "index"), base, _text(market, "name")


def _balance(row: Any) -> TokenBalance:
    total = _number(row, "total")
    name, token = row.get("coin"), row.get("token")
    is_index = type(token) is int and token >= 0
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        name = f"token {token}" if is_index else "a token without a name"
    return TokenBalance(token if is_index else None, name, total)


def _number(row: Any, name: str) -> Decimal:
    text = row.get(name) if isinstance(row, Mapping) else None
    if not isinstance(text, str) or not _NUMBER.fullmatch(text):
        raise AskFailedError(f"Hyperliquid sent no number as {name}")
    return Decimal(text)


def _index(row: Any, name: str) -> int:
    index = row.get(name) if isinstance(row, Mapping) else None
    if type(index) is not int or index < 0:
        raise AskFailedError(f"Hyperliquid sent no index as {name}")
    return index


def _text(row: Any, name: str) -> str:
    text = row.get(name) if isinstance(row, Mapping) else None
    if not isinstance(text, str):
        raise AskFailedError(f"Hyperliquid sent no name as {name}")
    return text
