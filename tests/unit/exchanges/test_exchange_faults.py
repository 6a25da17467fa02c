"""An exchange that fails fails for nobody else, and nothing of what it says leaks."""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.accounts.add_exchange import add_exchange_account
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.report import SyncReport
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses
from afterword.pipeline.errors import CircuitOpenError, InvalidInputError, PipelineError
from afterword.pipeline.gateway.budget import NotSentError
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.http.model import (
    AskFailedError,
    BusyError,
    RefusedError,
    SetupError,
)
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.exchange_markets import kraken_trade, okx_fill
from afterword.pipeline.testing.exchange_server import ExchangeRequest, ExchangeServer
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    Reply,
    RequestTurn,
    answer,
    changed,
    cut,
    drip,
    drip_body,
    flood,
    hang,
    refuses,
    reset,
    says,
)
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill
from tests.unit.exchanges.conftest import KEY, SECRET

MINE = "0x" + "ab" * 20
FILLS = "/api/v5/trade/fills-history"
DAY = 86_400_000


@pytest.fixture
def hyperliquid(
    store: Store, instance: Store, clock: ManualClock
) -> Iterator[tuple[VenueServer, HyperliquidInfo]]:
    """Hyperliquid, with the account `hl`."""
    breaker = Breaker(instance, CircuitName("hyperliquid", "accounts", "x"), clock, 20)
    with VenueServer() as venue, closing(HyperliquidInfo(venue.origin, 5, clock, breaker)) as info:
        venue.account(MINE)
        add_account(store, info, "hl", MINE, "own", clock)
        yield venue, info


@pytest.fixture
def sync(
    hyperliquid: tuple[VenueServer, HyperliquidInfo], parts: MirrorParts, clock: ManualClock
) -> Callable[[], SyncReport]:
    """Mirror all accounts, half an hour later."""

    def run() -> SyncReport:
        clock.advance(minutes=30)
        return sync_accounts(parts, hyperliquid[1], SyncPauses())

    return run


def failures(store: Store, account: str) -> int:
    with reading(store) as conn:
        return state_rows.find(conn, "perps_fills", account).consecutive_failures


def errors(report: SyncReport) -> dict[str, str]:
    return {source.account: source.error for source in report.sources if source.error}


def without(reply: Reply, name: str) -> None:
    reply["data"] = [{**row, name: ""} for row in reply["data"]]


FAULTS: dict[str, tuple[Behaviour, type[PipelineError]]] = {
    "busy": (refuses(503), BusyError),
    "rate limit": (refuses(429, Retry_After="7"), CircuitOpenError),
    "rate limit without a time": (refuses(429), BusyError),
    "rate limit in words": (
        says(b'{"code": "50011", "data": [], "msg": "Too Many Requests"}'),
        BusyError,
    ),
    "maintenance in words": (
        says(b'{"code": "50001", "data": [], "msg": "Service temporarily unavailable"}'),
        BusyError,
    ),
    "server error": (refuses(500), AskFailedError),
    "gateway": (refuses(502), AskFailedError),
    "an error nobody knows": (says(b'{"code": "1", "data": [], "msg": "?"}'), AskFailedError),
    "no JSON": (says(b"<html>secret</html>"), AskFailedError),
    "nothing": (says(b""), AskFailedError),
    "half of it": (cut, AskFailedError),
    "another shape": (says(b'{"code": "0", "data": {"a": 1}}'), AskFailedError),
    "a list": (says(b"[1, 2]"), AskFailedError),
    "rows of another shape": (says(b'{"code": "0", "data": [{"billId": "1"}]}'), AskFailedError),
    "a row without a time": (changed(lambda reply: without(reply, "ts")), AskFailedError),
    "a row without a size": (changed(lambda reply: without(reply, "fillSz")), AskFailedError),
    "reset": (reset, AskFailedError),
    "hang": (hang, AskFailedError),
    "a slow head": (drip, AskFailedError),
    "a slow body": (drip_body, AskFailedError),
    "far too much": (flood, AskFailedError),
    "redirect": (says(b"", status=302, Location="http://127.0.0.1:9/"), SetupError),
    "another place": (says(b"<html>", status=451), CircuitOpenError),
    "a key, without a word": (says(b"", status=401), RefusedError),
    "key": (says(b'{"code": "50111", "msg": "Invalid key", "data": []}', status=401), RefusedError),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_an_error_of_ours_that_repeats_nothing(
    fault: str, server: ExchangeServer, exchanges: Exchanges, clock: ManualClock
) -> None:
    behaviour, kind = FAULTS[fault]
    server.account(KEY).fills = [okx_fill(1, server.now_ms, "1", instType="SPOT")]
    opened = exchanges.open("okx", "main")
    server.failing[FILLS] = behaviour
    with closing(opened.client), pytest.raises(PipelineError) as failed:
        list(opened.reader.trades(server.now_ms - DAY, server.now_ms))
    assert isinstance(failed.value, kind | CircuitOpenError if kind is SetupError else kind)
    for secret in (KEY, SECRET, "phrase", "secret", server.origin, "http"):
        assert secret not in str(failed.value)
    kinds = [asked.fields["instType"] for asked in server.asked_at(FILLS)]
    assert len(kinds) == len(set(kinds))  # nothing is tried again in silence


def test_a_server_that_is_away_was_not_reached(
    exchange_settings: Callable[..., Settings], instance: Store, clock: ManualClock
) -> None:
    with ExchangeServer(clock) as gone:
        origin = gone.origin
    settings = exchange_settings("main").model_copy(update={"exchange_base_url": {"okx": origin}})
    with pytest.raises(NotSentError, match="AFTERWORD_EXCHANGE_BASE_URL"):
        Exchanges(settings, instance, clock).open("okx", "main")


def test_an_outage_counts_against_nobody_and_holds_no_other_venue(
    server: ExchangeServer,
    exchanges: Exchanges,
    hyperliquid: tuple[VenueServer, HyperliquidInfo],
    sync: Callable[[], SyncReport],
    store: Store,
    clock: ManualClock,
) -> None:
    for name in ("okx", "kraken"):
        add_exchange_account(store, exchanges, name, name, [], clock)
    server.failing = {"/api/v5/public/time": refuses(503)}
    venue, _ = hyperliquid
    venue.account(MINE).trade([venue_fill(1, server.now_ms, "1.0")])
    server.account(KEY).trades = {"T1": kraken_trade(server.now_ms, "0.1")}
    report = sync()
    assert {source.account: source.new for source in report.sources if source.new} == {
        "hl": 1,
        "kraken": 1,
    }
    assert list(report.stopped) == ["okx"]
    assert failures(store, "okx") == 0
    server.failing = {}
    clock.advance(minutes=10)
    assert sync().stopped == {}


def test_an_outage_of_hyperliquid_holds_no_exchange(
    server: ExchangeServer,
    exchanges: Exchanges,
    hyperliquid: tuple[VenueServer, HyperliquidInfo],
    sync: Callable[[], SyncReport],
    store: Store,
    clock: ManualClock,
) -> None:
    add_exchange_account(store, exchanges, "okx", "okx", [], clock)
    hyperliquid[0].script(*[refuses(503)] * 9)
    server.account(KEY).fills = [okx_fill(1, server.now_ms, "1")]
    report = sync()
    assert [(source.account, source.new) for source in report.sources if source.new] == [("okx", 1)]
    assert list(report.stopped) == ["hyperliquid"]
    assert failures(store, "hl") == 0


def test_a_venue_that_is_stopped_is_told_while_another_rests(
    server: ExchangeServer,
    exchanges: Exchanges,
    hyperliquid: tuple[VenueServer, HyperliquidInfo],
    sync: Callable[[], SyncReport],
    parts: MirrorParts,
    store: Store,
    clock: ManualClock,
) -> None:
    sync()
    clock.advance(minutes=1)
    add_exchange_account(store, exchanges, "okx", "okx", [], clock)
    server.failing = {"/api/v5/public/time": refuses(429, Retry_After="90")}
    report = sync_accounts(parts, hyperliquid[1], SyncPauses())
    assert (report.sources, list(report.stopped)) == ([], ["okx"])
    assert report.goes_on_at == clock() + timedelta(seconds=90)
    with pytest.raises(CircuitOpenError):
        sync_accounts(parts, hyperliquid[1], SyncPauses(), name="okx")


def test_an_account_that_a_venue_never_answers_for_opens_no_circuit_for_the_others(
    server: ExchangeServer,
    exchange_settings: Callable[..., Settings],
    instance: Store,
    exchanges: Exchanges,
    hyperliquid: tuple[VenueServer, HyperliquidInfo],
    store: Store,
    parts: MirrorParts,
    mirrored: Callable[[], list[Fill]],
    clock: ManualClock,
) -> None:
    server.account("other-key", "4712")
    both = exchange_settings("main")
    other = exchange_settings("second", key="other-key").exchange_keys
    settings = both.model_copy(update={"exchange_keys": dict(both.exchange_keys) | dict(other)})
    two = Exchanges(settings, instance, clock, throttles=False)
    add_exchange_account(store, two, "okx", "main", [], clock)
    add_exchange_account(store, two, "okx", "second", [], clock)
    parts = MirrorParts(store, clock, parts.ids, exchanges=two)

    def fails_for_main(turn: RequestTurn[ExchangeRequest]) -> None:
        (refuses(500) if turn.asked.key == KEY else answer)(turn)

    server.failing[FILLS] = fails_for_main
    for place in range(7):
        server.accounts["other-key"].fills.append(okx_fill(place, server.now_ms, "1"))
        clock.advance(minutes=40)
        assert sync_accounts(parts, hyperliquid[1], SyncPauses()).stopped == {}
    assert {fill.account for fill in mirrored()} == {"second"}
    assert len(mirrored()) == 7
    assert (failures(store, "main"), failures(store, "second")) == (7, 0)


def test_a_key_that_was_withdrawn_is_counted_and_holds_no_other_account(
    server: ExchangeServer,
    exchange_settings: Callable[..., Settings],
    instance: Store,
    sync: Callable[[], SyncReport],
    exchanges: Exchanges,
    store: Store,
    parts: MirrorParts,
    hyperliquid: tuple[VenueServer, HyperliquidInfo],
    clock: ManualClock,
) -> None:
    add_exchange_account(store, exchanges, "okx", "main", [], clock)
    server.account("other-key", "4712")
    keys = exchange_settings("second", key="other-key").exchange_keys
    both = exchange_settings("main")
    settings = both.model_copy(update={"exchange_keys": dict(both.exchange_keys) | dict(keys)})
    two = Exchanges(settings, instance, clock, throttles=False)
    add_exchange_account(store, two, "okx", "second", [], clock)
    del server.accounts[KEY]
    server.accounts["other-key"].fills = [okx_fill(1, server.now_ms, "1")]
    parts = MirrorParts(store, clock, parts.ids, exchanges=two)
    clock.advance(minutes=30)
    report = sync_accounts(parts, hyperliquid[1], SyncPauses())
    assert "AFTERWORD_EXCHANGE_MAIN_KEY: was refused by OKX" in errors(report)["main"]
    assert [source.account for source in report.sources if source.new] == ["second"]
    assert (failures(store, "main"), failures(store, "second")) == (1, 0)


@pytest.mark.parametrize("fault", ["key", "a key, without a word"])
def test_a_key_that_is_refused_again_and_again_opens_no_circuit_of_the_venue(
    fault: str, server: ExchangeServer, exchanges: Exchanges
) -> None:
    server.failing["/api/v5/account/config"] = FAULTS[fault][0]
    for _ in range(7):
        with pytest.raises(RefusedError):
            exchanges.open("okx", "main")
    server.failing = {}
    exchanges.open("okx", "main").client.close()


def test_five_failures_leave_an_account_out_until_a_probe(
    server: ExchangeServer,
    exchanges: Exchanges,
    sync: Callable[[], SyncReport],
    store: Store,
    clock: ManualClock,
) -> None:
    add_exchange_account(store, exchanges, "okx", "main", [], clock)
    del server.accounts[KEY]
    for _ in range(5):
        assert "main" in errors(sync())
    clock.advance(minutes=-20)
    asked = server.requests
    assert "main" not in errors(sync())
    assert server.requests == asked
    server.account(KEY)
    clock.advance(minutes=30)
    assert errors(sync()) == {}
    assert failures(store, "main") == 0


@pytest.mark.parametrize("minutes", [-45, 45])
def test_a_clock_that_is_wrong_is_corrected_by_that_of_the_venue(
    minutes: int, exchange_settings: Callable[..., Settings], instance: Store, store: Store
) -> None:
    ours = ManualClock()
    theirs = ManualClock(ours() + timedelta(minutes=minutes))
    with ExchangeServer(theirs) as server:
        server.account(KEY)
        settings = exchange_settings("main").model_copy(
            update={"exchange_base_url": {"binance": server.origin}}
        )
        exchanges = Exchanges(settings, instance, ours, throttles=False)
        assert add_exchange_account(store, exchanges, "binance", "main", [], ours).is_new
        assert {asked.at_ms is not None for asked in server.asked if asked.key} == {True}


def test_a_time_that_is_refused_says_to_check_the_clock(
    server: ExchangeServer, exchanges: Exchanges
) -> None:
    wrong = b'{"code": -1021, "msg": "Timestamp for this request is outside of the recvWindow."}'
    server.failing["/sapi/v1/account/apiRestrictions"] = says(wrong, status=400)
    with pytest.raises(AskFailedError, match="check the clock of this machine"):
        exchanges.open("binance", "main")


def test_a_run_that_is_cut_goes_on_where_it_was(
    server: ExchangeServer,
    exchanges: Exchanges,
    sync: Callable[[], SyncReport],
    store: Store,
    mirrored: Callable[[], list[Fill]],
    clock: ManualClock,
) -> None:
    add_exchange_account(store, exchanges, "kraken", "main", [], clock)
    first = server.now_ms - 2_000 * DAY
    trades = {f"T{place:05}": kraken_trade(first + place * DAY, "0.1") for place in range(1_200)}
    server.account(KEY).trades = trades
    sent: list[int] = []

    def twenty_pages(turn: object) -> None:
        sent.append(1)
        (refuses(500) if len(sent) > 20 else answer)(turn)  # type: ignore[arg-type]

    server.failing["/0/private/TradesHistory"] = twenty_pages
    sync()
    stored = len(mirrored())
    assert 0 < stored < 1_200
    server.failing = {}
    server.asked.clear()
    clock.advance(hours=1)
    sync()
    assert len(mirrored()) == 1_200
    starts = [int(asked.fields["start"]) for asked in server.asked_at("/0/private/TradesHistory")]
    assert min(starts) > first // 1_000  # what was stored is not asked for again


def test_nothing_of_a_key_is_logged(
    server: ExchangeServer, exchanges: Exchanges, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    opened = exchanges.open("binance", "main")
    server.failing["/fapi/v1/income"] = refuses(500)
    with closing(opened.client), pytest.raises(AskFailedError):
        list(opened.reader.trades(0, server.now_ms))
    assert KEY not in caplog.text
    assert "signature" not in caplog.text


def test_an_address_that_can_never_work_is_refused(
    exchange_settings: Callable[..., Settings], instance: Store, clock: ManualClock
) -> None:
    settings = exchange_settings("main")
    settings = settings.model_copy(update={"exchange_base_url": {"okx": "ftp://x"}})
    with pytest.raises(InvalidInputError, match="AFTERWORD_EXCHANGE_BASE_URL"):
        Exchanges(settings, instance, clock).open("okx", "main")
