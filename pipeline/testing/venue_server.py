"""A venue on loopback with Hyperliquid's info API: accounts with fills, funding and transfers.

It answers as the real venue is documented to: a page of 2,000 fills of the 10,000 newest, pages of
500 of other rows, an empty list for an address that it does not know, weights by the minute and
HTTP 429 above them. Rows are what the venue would send; a test adds them to an account.
"""

import json
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    FaultyServer,
    Reply,
    RequestTurn,
    answer,
    refuses,
)

_PAGE_FILLS: Final = 2_000
_REACHABLE_FILLS: Final = 10_000
PAGE_ROWS: Final = 500
"""Limits of a reply as documented: rows of a page, and the newest fills that any page reaches."""

_LIGHT: Final = frozenset(
    {"clearinghouseState", "spotClearinghouseState", "allMids", "exchangeStatus"}
)


@dataclass(frozen=True, slots=True)
class VenueRequest:
    """One received request.

    Args:
        received_s: when; seconds of a clock that only goes forward.
    """

    body: Mapping[str, Any]
    received_s: float

    @property
    def type(self) -> str:
        """What is asked."""
        return str(self.body["type"])

    @property
    def user(self) -> str:
        """Of whom; empty where it is about nobody."""
        return str(self.body.get("user", "")).lower()


@dataclass(slots=True)
class VenueAccount:
    """What the venue knows of an address; rows in the order in which they happened.

    Args:
        role: the reply to `userRole`.
        states: the replies to `clearinghouseState`, by dex; the empty name is the first dex.
        spot: the reply to `spotClearinghouseState`.
        abstraction: the reply to `userAbstraction`.
        sub_accounts: the reply to `subAccounts`.
        portfolio: the reply to `portfolio`.
    """

    role: Reply = field(default_factory=lambda: {"role": "user"})
    fills: list[Reply] = field(default_factory=list)
    funding: list[Reply] = field(default_factory=list)
    ledger: list[Reply] = field(default_factory=list)
    states: dict[str, Reply] = field(default_factory=dict)
    spot: Reply = field(default_factory=lambda: {"balances": []})
    abstraction: str = "default"
    sub_accounts: list[Reply] | None = None
    portfolio: list[Any] = field(default_factory=list)

    def hold(self, *balances: Reply) -> None:
        """Set the spot balances; see `spot_balance`."""
        self.spot = {"balances": list(balances)}

    def trade(self, fills: Iterable[Reply]) -> None:
        """Add fills, wherever their time belongs: a late one has an old time."""
        self.fills = sorted([*self.fills, *fills], key=lambda fill: fill["time"])


class VenueServer(FaultyServer[VenueRequest]):
    """A venue with accounts; use it as a context manager.

    Args:
        limit: weight that it accepts in `span_s`; None for no limit.
        span_s: seconds.
        page_fills: fills of a page.
        page_rows: other rows of a page.
    """

    def __init__(
        self,
        *,
        limit: int | None = None,
        span_s: float = 60.0,
        port: int = 0,
        page_fills: int = _PAGE_FILLS,
        page_rows: int = PAGE_ROWS,
    ) -> None:
        super().__init__("/info", port)
        self.accounts: dict[str, VenueAccount] = {}
        self.candles: dict[tuple[str, str], list[Reply]] = {}
        """As `market_server.candle_of` writes them, by coin and interval."""
        self.dexes: list[Reply | None] = [None]
        self.collaterals: dict[str, int] = {}
        """Index of the token that a dex keeps its accounts in; of the others it is USDC."""
        self.tokens: list[Reply] = []
        self.spot_markets: list[tuple[Reply, Reply]] = []
        """Each with its context; see `list_token`."""
        self.limit, self.span_s = limit, span_s
        self.page_fills, self.page_rows = page_fills, page_rows
        self._weights: deque[tuple[float, int]] = deque()
        self.heaviest = 0
        """The largest weight that any span had."""

    def account(self, address: str) -> VenueAccount:
        """Return the account of an address, made if there is none."""
        return self.accounts.setdefault(address.lower(), VenueAccount())

    def list_token(self, index: int, name: str, mark: str | None, quote: int = 0) -> None:
        """List a spot token, with the mark of its market against another token."""
        self.tokens.append({"name": name, "index": index, "szDecimals": 2, "weiDecimals": 8})
        if mark is not None:
            coin = f"@{index}"
            market = {"name": coin, "index": index, "tokens": [index, quote], "isCanonical": False}
            context = {"coin": coin, "markPx": mark, "midPx": None, "prevDayPx": mark}
            self.spot_markets.append((market, context))

    def read(self, headers: Mapping[str, str], sent: Reply) -> VenueRequest:  # noqa: ARG002
        """Return a request as received."""
        return VenueRequest(sent, monotonic())

    def admit(self, asked: VenueRequest) -> Behaviour:
        """Refuse a request above the limit; else as scripted."""
        with self.lock:
            while self._weights and self._weights[0][0] <= asked.received_s - self.span_s:
                self._weights.popleft()
            weight = _weight(asked.type, _rows(self.work(asked)))
            spent = sum(booked for _, booked in self._weights) + weight
            self.heaviest = max(self.heaviest, spent)
            if self.limit is not None and spent > self.limit:
                self.asked.append(asked)
                return refuses(429, "rate_limited")
            self._weights.append((asked.received_s, weight))
        return super().admit(asked)

    def unscripted(self) -> Behaviour:
        """Answer; a malformed address is answered as the real venue does, with 422."""

        def act(turn: RequestTurn[Any]) -> None:
            user = turn.asked.body.get("user")
            if user is not None and not _is_address(str(user)):
                text = "Failed to deserialize the JSON body into the target type"
                turn.send(422, json.dumps(text).encode())
            else:
                answer(turn)

        return act

    def work(self, asked: VenueRequest) -> Any:
        """Return the correct reply."""
        account = self.accounts.get(asked.user)
        known = account or VenueAccount(role={"role": "missing"})
        match asked.type:
            case "userRole":
                return known.role
            case "userFillsByTime":
                return _page(known.fills[-_REACHABLE_FILLS:], asked, self.page_fills)
            case "userFunding":
                return _page(known.funding, asked, self.page_rows)
            case "userNonFundingLedgerUpdates":
                return _page(known.ledger, asked, self.page_rows)
            case "userAbstraction":
                return known.abstraction
            case "subAccounts":
                return known.sub_accounts
            case "exchangeStatus":
                return {"time": 0, "specialStatuses": None}
            case "portfolio":
                return known.portfolio
            case "perpDexs":
                return self.dexes
            case "clearinghouseState":
                return known.states.get(str(asked.body.get("dex", "")), _EMPTY_STATE)
            case "spotClearinghouseState":
                return known.spot
            case "meta":
                collateral = self.collaterals.get(str(asked.body.get("dex", "")), 0)
                return {"universe": [], "marginTables": [], "collateralToken": collateral}
            case "spotMetaAndAssetCtxs":
                return self._spot_markets()
            case "candleSnapshot":
                return self._candles(asked.body["req"])
        raise AssertionError(f"the venue has no {asked.type}")

    def _spot_markets(self) -> list[Any]:
        """Return the markets and their contexts, which the venue does not list in one order."""
        markets = [market for market, _ in self.spot_markets]
        contexts = [context for _, context in reversed(self.spot_markets)]
        return [{"universe": markets, "tokens": self.tokens}, contexts]

    def _candles(self, asked: Mapping[str, Any]) -> list[Reply]:
        candles = self.candles.get((asked["coin"], asked["interval"]), [])
        start, end = asked["startTime"], asked["endTime"]
        return [candle for candle in candles if start <= candle["T"] and candle["t"] <= end]


_EMPTY_STATE: Final[Reply] = {
    "marginSummary": {"accountValue": "0.0", "totalRawUsd": "0.0"},
    "crossMarginSummary": {"accountValue": "0.0", "totalRawUsd": "0.0"},
    "withdrawable": "0.0",
    "assetPositions": [],
}


def _page(rows: list[Reply], asked: VenueRequest, most: int) -> list[Reply]:
    first = bisect_left(rows, asked.body["startTime"], key=lambda row: row["time"])
    end = asked.body.get("endTime")
    last = len(rows) if end is None else bisect_right(rows, end, key=lambda row: row["time"])
    return rows[first : min(last, first + most)]


def _rows(reply: Any) -> int:
    return len(reply) if isinstance(reply, list) else 0


def _weight(type: str, rows: int) -> int:
    if type in _LIGHT:
        return 2
    if type == "userRole":
        return 60
    paged = type in {"userFillsByTime", "userFunding", "userNonFundingLedgerUpdates"}
    return 20 + (rows // 20 if paged else 0)


def _is_address(text: str) -> bool:
    return (
        len(text) == 42
        and text[:2] == "0x"
        and all(letter in "0123456789abcdefABCDEF" for letter in text[2:])
    )


def venue_fill(tid: int, time_ms: int, size: str, start: str = "0.0", **changes: Any) -> Reply:
    """Return a fill as the venue writes it; a negative size is a sale.

    Args:
        start: the position before it.
        changes: other fields.
    """
    return {
        "coin": "BTC",
        "px": "100.0",
        "sz": size.lstrip("-"),
        "side": "A" if size.startswith("-") else "B",
        "time": time_ms,
        "startPosition": start,
        "dir": "Close Long" if size.startswith("-") else "Open Long",
        "closedPnl": "0.0",
        "hash": f"0x{tid:064x}",
        "oid": tid,
        "crossed": True,
        "fee": "0.01",
        "tid": tid,
        "feeToken": "USDC",
        "twapId": None,
    } | changes


def spot_balance(token: int, coin: str, total: str, hold: str = "0.0") -> Reply:
    """Return a spot balance as the venue writes it."""
    return {"coin": coin, "token": token, "total": total, "hold": hold, "entryNtl": "0.0"}


def perp_state(account_value: str) -> Reply:
    """Return the state of an address in one dex, of this equity."""
    summary = {"accountValue": account_value, "totalRawUsd": account_value}
    return _EMPTY_STATE | {"marginSummary": summary, "crossMarginSummary": summary}


def venue_trip(tid: int, opened_ms: int, coin: str = "BTC") -> list[Reply]:
    """Return the fills of a trip: one unit bought at 100 and sold at 101 a minute later."""
    sale = {"px": "101.0", "closedPnl": "1.0", "coin": coin}
    return [
        venue_fill(tid, opened_ms, "1.0", coin=coin),
        venue_fill(tid + 1, opened_ms + 60_000, "-1.0", "1.0", **sale),
    ]


def venue_payment(time_ms: int, coin: str = "BTC", usdc: str = "-0.25") -> Reply:
    """Return a payment of funding for one unit as the venue writes it; a negative one was paid."""
    delta = {"type": "funding", "coin": coin, "usdc": usdc, "szi": "1.0", "nSamples": None}
    return {"time": time_ms, "hash": f"0x{0:064x}", "delta": delta | {"fundingRate": "0.0000125"}}
