"""Exchanges on loopback: Binance, Bybit, OKX and Kraken, as their docs say that they answer.

One server answers for all four, whose paths differ. Replies have the documented shapes, with values
made up here; rows are what a test adds to the account of a key. Signed requests need a key that is
known and a time that is near the server's clock.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from afterword.pipeline.clock import EPOCH, Clock
from afterword.pipeline.testing.exchange_markets import EXCHANGE_MARKETS
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    FaultyServer,
    Reply,
    RequestTurn,
    answer,
)

_NEAR_MS: Final = 60_000
"""How far a signed time may be from the server's; milliseconds."""

_KEYS: Final = ("x-mbx-apikey", "x-bapi-api-key", "ok-access-key", "api-key")


@dataclass(frozen=True, slots=True)
class ExchangeRequest:
    """One received request.

    Args:
        key: the API key that it was signed with; empty without one.
        fields: of its address and its body.
        at_ms: the time that it was signed for; None where the venue has none.
    """

    path: str
    key: str
    fields: Mapping[str, Any]
    at_ms: int | None = None


@dataclass(slots=True)
class ExchangeAccount:
    """What an exchange knows of the account of a key.

    Args:
        powers: what the key may do besides reading, in the venue's words.
        futures, spot: Binance's trades by symbol; `income`: its income of futures.
        executions: Bybit's, by category.
        fills, bills: OKX's; `trades`: Kraken's by id.
    """

    uid: str
    powers: tuple[str, ...] = ()
    futures: list[Reply] = field(default_factory=list)
    spot: list[Reply] = field(default_factory=list)
    income: list[Reply] = field(default_factory=list)
    executions: dict[str, list[Reply]] = field(default_factory=dict)
    fills: list[Reply] = field(default_factory=list)
    bills: list[Reply] = field(default_factory=list)
    trades: dict[str, Reply] = field(default_factory=dict)


class ExchangeServer(FaultyServer[ExchangeRequest]):
    """The exchanges; use it as a context manager.

    Args:
        clock: their time.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__("")
        self.clock = clock
        self.accounts: dict[str, ExchangeAccount] = {}
        self.page_rows: dict[str, int] = {}
        """Rows of a full page by path, where they are not the documented ones."""
        self.failing: dict[str, Behaviour] = {}
        """What is done in place of an answer, by path."""

    def account(self, key: str, uid: str = "4711") -> ExchangeAccount:
        """Return the account of a key, made if there is none."""
        return self.accounts.setdefault(key, ExchangeAccount(uid))

    @property
    def now_ms(self) -> int:
        """Return the present of the exchanges; UTC milliseconds."""
        return int((self.clock() - EPOCH).total_seconds() * 1_000)

    def asked_at(self, path: str) -> list[ExchangeRequest]:
        """Return the requests to a path."""
        return [request for request in self.asked if request.path == path]

    def serves(self, path: str) -> bool:
        """Return whether one of the exchanges has this path."""
        return urlsplit(path).path in _REPLIES

    def decode(self, method: str, path: str, body: bytes) -> Reply:  # noqa: ARG002
        """Return what an address and a body send."""
        return {
            "path": urlsplit(path).path,
            **dict(parse_qsl(urlsplit(path).query)),
            **dict(parse_qsl(body.decode())),
        }

    def read(self, headers: Mapping[str, str], sent: Reply) -> ExchangeRequest:
        """Return a request as received."""
        key = next((headers[name] for name in _KEYS if name in headers), "")
        stamp = sent.get("timestamp") or headers.get("x-bapi-timestamp")
        path = sent.pop("path")
        return ExchangeRequest(path, key, sent, int(stamp) if stamp else None)

    def unscripted(self) -> Behaviour:
        """Answer, or refuse a key or a time as the venue does; see `failing`."""

        def act(turn: RequestTurn[Any]) -> None:
            asked: ExchangeRequest = turn.asked
            if asked.path in self.failing:
                self.failing[asked.path](turn)
            elif asked.key and asked.key not in self.accounts:
                refused = _REFUSED[_venue(asked.path)]
                turn.send(refused[0], json.dumps(refused[1]).encode())
            elif asked.at_ms is not None and abs(asked.at_ms - self.now_ms) > _NEAR_MS:
                turn.send(400, json.dumps(_TOO_EARLY).encode())
            else:
                answer(turn)

        return act

    def work(self, asked: ExchangeRequest) -> Any:
        """Return the correct reply."""
        return _REPLIES[asked.path](self, asked)

    def full(self, asked: ExchangeRequest, documented: int) -> int:
        """Return how many rows a page has at most."""
        return self.page_rows.get(asked.path, int(asked.fields.get("limit", documented)))


_REFUSED: Final[Mapping[str, tuple[int, Reply]]] = {
    "binance": (401, {"code": -2015, "msg": "Invalid API-key, IP, or permissions for action."}),
    "bybit": (200, {"retCode": 10003, "retMsg": "API key is invalid.", "result": {}}),
    "okx": (401, {"code": "50111", "msg": "Invalid OK-ACCESS-KEY", "data": []}),
    "kraken": (200, {"error": ["EAPI:Invalid key"]}),
}
_TOO_EARLY: Final[Reply] = {
    "code": -1021,
    "msg": "Timestamp for this request is outside of the recvWindow.",
}


def _venue(path: str) -> str:
    starts = {"/v5/": "bybit", "/api/v5/": "okx", "/0/": "kraken"}
    return next((name for start, name in starts.items() if path.startswith(start)), "binance")


def _mine(server: ExchangeServer, asked: ExchangeRequest) -> ExchangeAccount:
    return server.accounts[asked.key]


def _span(rows: Iterable[Reply], name: str, first: object, last: object) -> list[Reply]:
    ends = int(str(first or 0)), int(str(last or 2**62))
    inside = [row for row in rows if ends[0] <= int(row[name]) <= ends[1]]
    return sorted(inside, key=lambda row: int(row[name]))


def _restrictions(server: ExchangeServer, asked: ExchangeRequest) -> Reply:
    flags = dict.fromkeys(
        (
            "enableWithdrawals",
            "enableInternalTransfer",
            "enableMargin",
            "enableFutures",
            "permitsUniversalTransfer",
            "enableVanillaOptions",
            "enableSpotAndMarginTrading",
        ),
        False,
    )
    powers = dict.fromkeys(_mine(server, asked).powers, True)
    return {"ipRestrict": True, "createTime": 1623840271000, "enableReading": True} | flags | powers


def _binance_income(server: ExchangeServer, asked: ExchangeRequest) -> Any:
    kind = asked.fields.get("incomeType")
    rows = [row for row in _mine(server, asked).income if kind in (None, row["incomeType"])]
    inside = _span(rows, "time", asked.fields["startTime"], asked.fields["endTime"])
    return inside[: server.full(asked, 100)]


def _binance_futures(server: ExchangeServer, asked: ExchangeRequest) -> Any:
    fields = asked.fields
    assert int(fields["endTime"]) - int(fields["startTime"]) <= 7 * 86_400_000
    rows = [row for row in _mine(server, asked).futures if row["symbol"] == fields["symbol"]]
    return _span(rows, "time", fields["startTime"], fields["endTime"])[: server.full(asked, 500)]


def _binance_spot(server: ExchangeServer, asked: ExchangeRequest) -> Any:
    rows = [row for row in _mine(server, asked).spot if row["symbol"] == asked.fields["symbol"]]
    most = server.full(asked, 500)
    if (first := asked.fields.get("fromId")) is not None:
        return [row for row in rows if row["id"] >= int(first)][:most]
    return rows[-most:]


def _bybit_key(server: ExchangeServer, asked: ExchangeRequest) -> Reply:
    account = _mine(server, asked)
    reads = 0 if account.powers else 1
    rights = {"ContractTrade": ["Order", "Position"], "Spot": ["SpotTrade"], "Wallet": []}
    return _bybit(
        {
            "id": "1",
            "apiKey": asked.key,
            "readOnly": reads,
            "secret": "",
            "permissions": rights,
            "userID": int(account.uid),
            "parentUid": "0",
            "isMaster": True,
            "uta": 1,
        }
    )


def _bybit_executions(server: ExchangeServer, asked: ExchangeRequest) -> Reply:
    fields = asked.fields
    assert int(fields["endTime"]) - int(fields["startTime"]) <= 7 * 86_400_000
    rows = _mine(server, asked).executions.get(fields["category"], [])
    kind = fields.get("execType")
    rows = [row for row in rows if kind in (None, row["execType"])]
    inside = _span(rows, "execTime", fields["startTime"], fields["endTime"])[::-1]
    start, most = int(fields.get("cursor", 0)), server.full(asked, 50)
    page = inside[start : start + most]
    cursor = str(start + most) if start + most < len(inside) else ""
    return _bybit({"nextPageCursor": cursor, "category": fields["category"], "list": page})


def _bybit(result: Reply) -> Reply:
    return {"retCode": 0, "retMsg": "OK", "result": result, "retExtInfo": {}, "time": 0}


def _okx_account(server: ExchangeServer, asked: ExchangeRequest) -> Reply:
    account = _mine(server, asked)
    rights = ",".join(("read_only", *account.powers))
    return _okx([{"uid": account.uid, "mainUid": account.uid, "perm": rights, "acctLv": "2"}])


def _okx_page(name: str, kind: str) -> Callable[[ExchangeServer, ExchangeRequest], Reply]:
    def reply(server: ExchangeServer, asked: ExchangeRequest) -> Reply:
        fields = asked.fields
        rows: list[Reply] = getattr(_mine(server, asked), name)
        inside = _span(rows, "ts", fields["begin"], fields["end"])[::-1]
        older = int(fields.get("after", 2**62))
        page = [row for row in inside if row[kind] == fields[kind] and int(row["billId"]) < older]
        return _okx(page[: server.full(asked, 100)])

    return reply


def _okx(rows: list[Reply]) -> Reply:
    return {"code": "0", "data": rows, "msg": ""}


def _kraken_key(server: ExchangeServer, asked: ExchangeRequest) -> Reply:
    account = _mine(server, asked)
    rights = ["query-funds", "query-closed-trades", "query-ledger", *account.powers]
    return _kraken({"apiKeyName": "mine", "permissions": rights, "iban": account.uid})


def _kraken_trades(server: ExchangeServer, asked: ExchangeRequest) -> Reply:
    fields, trades = asked.fields, _mine(server, asked).trades
    first, last = float(fields.get("start", 0)), float(fields.get("end", 2**62))
    inside = [(name, row) for name, row in trades.items() if first < row["time"] <= last]
    inside.sort(key=lambda item: -item[1]["time"])
    start = int(fields.get("ofs", 0))
    page = dict(inside[start : start + server.full(asked, 50)])
    return _kraken({"trades": page, "count": len(inside)})


def _kraken(result: Reply) -> Reply:
    return {"error": [], "result": result}


_REPLIES: Final[Mapping[str, Callable[[ExchangeServer, ExchangeRequest], Any]]] = {
    "/api/v3/time": lambda server, _: {"serverTime": server.now_ms},
    "/sapi/v1/account/apiRestrictions": _restrictions,
    "/api/v3/account": lambda server, asked: {"uid": int(_mine(server, asked).uid), "balances": []},
    "/fapi/v1/exchangeInfo": lambda *_: EXCHANGE_MARKETS["binance"],
    "/fapi/v1/income": _binance_income,
    "/fapi/v1/userTrades": _binance_futures,
    "/api/v3/myTrades": _binance_spot,
    "/v5/market/time": lambda server, _: (
        _bybit({"timeSecond": str(server.now_ms // 1_000)}) | {"time": server.now_ms}
    ),
    "/v5/user/query-api": _bybit_key,
    "/v5/market/instruments-info": lambda _, asked: _bybit(
        {"list": EXCHANGE_MARKETS["bybit"][asked.fields["category"]], "nextPageCursor": ""}
    ),
    "/v5/execution/list": _bybit_executions,
    "/api/v5/public/time": lambda server, _: _okx([{"ts": str(server.now_ms)}]),
    "/api/v5/account/config": _okx_account,
    "/api/v5/public/instruments": lambda _, asked: _okx(
        EXCHANGE_MARKETS["okx"].get(asked.fields["instType"], [])
    ),
    "/api/v5/trade/fills-history": _okx_page("fills", "instType"),
    "/api/v5/account/bills-archive": _okx_page("bills", "type"),
    "/0/public/Time": lambda server, _: _kraken({"unixtime": server.now_ms // 1_000}),
    "/0/private/GetApiKeyInfo": _kraken_key,
    "/0/public/AssetPairs": lambda *_: _kraken(EXCHANGE_MARKETS["kraken"]),
    "/0/private/TradesHistory": _kraken_trades,
}
