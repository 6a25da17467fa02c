"""The mirror of an exchange has every trade once, in units of what is traded."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.clock import from_millis
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.accounts.add_exchange import add_exchange_account
from afterword.pipeline.domain.exports.import_export import import_export
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.funding.rows import payments
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.domain.sync import state_rows
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.domain.sync.report import SyncReport
from afterword.pipeline.domain.sync.sync import sync_accounts
from afterword.pipeline.domain.sync.turn import SyncPauses, SyncState
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.exchanges.windows import read_span
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.exchange_markets import (
    binance_income,
    binance_spot,
    binance_trade,
    bybit_execution,
    kraken_trade,
    okx_bill,
    okx_fill,
)
from afterword.pipeline.testing.exchange_server import ExchangeServer
from tests.unit.exchanges.conftest import KEY
from tests.unit.exchanges.test_rights import no_hyperliquid

DAY, MINUTE = 86_400_000, 60_000
Mirror = Callable[..., SyncReport]


@pytest.fixture
def mirror(parts: MirrorParts, exchanges: Exchanges, clock: ManualClock) -> Mirror:
    """Add an account if it is new, and mirror it."""

    def run(venue: str, *markets: str, name: str = "main") -> SyncReport:
        add_exchange_account(parts.store, exchanges, venue, name, markets, clock)
        report = sync_accounts(parts, no_hyperliquid(clock), SyncPauses())
        assert [source.error for source in report.sources if source.error] == []
        assert report.stopped == {}
        clock.advance(minutes=30)
        return report

    return run


def new_fills(report: SyncReport) -> int:
    return sum(source.new for source in report.sources if source.source == "perps_fills")


def state(store: Store) -> SyncState:
    with reading(store) as conn:
        return state_rows.find(conn, "perps_fills", "main")


def paid(store: Store) -> list[tuple[str, Decimal]]:
    with reading(store) as conn:
        return [(payment.symbol, payment.amount) for payment in payments(conn)]


def test_binance_futures_are_found_by_their_income(
    server: ExchangeServer, mirror: Mirror, store: Store, mirrored: Callable[[], list[Fill]]
) -> None:
    account, opened = server.account(KEY), server.now_ms - 20 * DAY
    account.futures = [
        binance_trade(1, opened, "0.002"),
        binance_trade(2, opened + 9 * DAY, "-0.002", "4.00000001"),
        binance_trade(1, opened, "3", symbol="ETHUSDT"),
    ]
    account.income = [
        binance_income(1, opened, "COMMISSION", "-0.02000004"),
        binance_income(2, opened + DAY, "FUNDING_FEE", "-0.10"),
        binance_income(3, opened + 9 * DAY, "COMMISSION", "-0.02000004"),
        binance_income(4, opened, "COMMISSION", "-0.02", symbol="ETHUSDT"),
    ]
    assert new_fills(mirror("binance")) == 3
    assert [(fill.symbol, fill.kind, fill.move) for fill in mirrored()] == [
        ("BTCUSDT", "perp", Decimal("0.002")),
        ("ETHUSDT", "perp", Decimal(3)),
        ("BTCUSDT", "perp", Decimal("-0.002")),
    ]
    with reading(store) as conn:
        (trip,) = trips(conn)
    assert (trip.gross, trip.fees, trip.funding) == (
        Decimal("0"),
        Decimal("0.04000008"),
        Decimal("-0.10"),
    )
    assert new_fills(mirror("binance")) == 0


def test_binance_spot_is_read_from_its_first_trade_however_many_there_are(
    server: ExchangeServer, mirror: Mirror, mirrored: Callable[[], list[Fill]]
) -> None:
    first = server.now_ms - 900 * DAY
    server.account(KEY).spot = [
        binance_spot(10 * place, first + place * MINUTE, "1") for place in range(2_500)
    ]
    assert new_fills(mirror("binance", "ETH/USDT")) == 2_500
    kinds = {(fill.symbol, fill.kind, fill.base, fill.quote) for fill in mirrored()}
    assert kinds == {("ETHUSDT", "spot", "ETH", "USDT")}
    assert {fill.fee_token for fill in mirrored()} == {"BNB"}


def test_bybit_mirrors_what_a_liquidation_closed(
    server: ExchangeServer, mirror: Mirror, store: Store, mirrored: Callable[[], list[Fill]]
) -> None:
    account, opened = server.account(KEY), server.now_ms - 30 * DAY
    account.executions = {
        "linear": [
            bybit_execution(1, opened, "0.5", closedSize="0"),
            bybit_execution(2, opened + DAY, "0.5", execType="Funding", execFee="-0.3", side="Buy"),
            bybit_execution(3, opened + 8 * DAY, "-0.5", execType="BustTrade", closedSize="0.5"),
        ],
        "spot": [bybit_execution(4, opened + 3 * DAY, "2", symbol="ETHUSDT")],
    }
    assert new_fills(mirror("bybit")) == 3
    forced = [fill.liquidation.method for fill in mirrored() if fill.liquidation]
    assert forced == ["liquidation"]
    with reading(store) as conn:
        (trip,) = trips(conn)
    assert (trip.kind, trip.funding) == ("perp", Decimal("0.3"))  # received: a negative fee


def test_pages_of_bybit_go_on_by_its_cursor(
    server: ExchangeServer, mirror: Mirror, mirrored: Callable[[], list[Fill]]
) -> None:
    server.page_rows["/v5/execution/list"] = 2
    at_ms = server.now_ms - DAY
    rows = [bybit_execution(place, at_ms, "0.1") for place in range(7)]  # all of one moment
    server.account(KEY).executions = {"linear": rows}
    assert new_fills(mirror("bybit")) == 7
    # The venue sends the newest first; the order of equal moments is that in which they happened.
    assert [fill.tid for fill in mirrored()] == [f"exec-{place}" for place in range(7)]


def test_contracts_of_okx_become_units_of_what_is_traded(
    server: ExchangeServer, mirror: Mirror, store: Store, mirrored: Callable[[], list[Fill]]
) -> None:
    account, opened = server.account(KEY), server.now_ms - 3 * DAY
    account.fills = [
        okx_fill(1, opened, "3"),
        okx_fill(2, opened + 2 * DAY, "-3", fillPnl="4.5", fillPx="50150.1"),
    ]
    account.bills = [okx_bill(1, opened + DAY, "-0.7"), okx_bill(2, opened + DAY, "0.2")]
    assert new_fills(mirror("okx")) == 2
    assert [(fill.sz, fill.multiplier) for fill in mirrored()] == [(3, Decimal("0.01"))] * 2
    assert paid(store) == [("BTC-USDT-SWAP", Decimal("-0.5"))]  # of two positions at one moment
    with reading(store) as conn:
        (trip,) = trips(conn)
    assert (trip.gross, trip.funding) == (Decimal("4.5"), Decimal("-0.5"))


def test_the_size_of_a_contract_is_exact_however_many_digits_it_has(
    server: ExchangeServer, mirror: Mirror, mirrored: Callable[[], list[Fill]]
) -> None:
    at_ms = server.now_ms - DAY
    server.account(KEY).fills = [okx_fill(1, at_ms, "3", instId="ODD-USDT-SWAP", fillPx="7.7")]
    mirror("okx")
    assert [fill.multiplier for fill in mirrored()] == [Decimal("0.012345678")]


def test_a_contract_whose_size_nobody_says_is_left_out_and_told(
    server: ExchangeServer, mirror: Mirror, store: Store
) -> None:
    gone = server.now_ms - 3 * DAY
    server.account(KEY).fills = [
        okx_fill(1, gone, "3", instId="OLD-USDT-SWAP"),
        okx_fill(2, gone + DAY, "3"),
    ]
    report = mirror("okx")
    assert new_fills(report) == 1
    assert state(store).whole_since_ms == gone + 1
    missing = [source.missing_moments for source in report.sources if source.missing_moments]
    assert missing == [(from_millis(gone),)]


def test_pages_of_okx_go_on_by_the_ids_of_their_bills(
    server: ExchangeServer, mirror: Mirror
) -> None:
    at_ms = server.now_ms - DAY
    server.account(KEY).fills = [okx_fill(place, at_ms, "1") for place in range(250)]
    assert new_fills(mirror("okx")) == 250


def test_kraken_is_read_until_its_own_count_is_reached(
    server: ExchangeServer, mirror: Mirror, mirrored: Callable[[], list[Fill]]
) -> None:
    first = server.now_ms - 2_000 * DAY
    server.account(KEY).trades = {
        f"T{place:05}": kraken_trade(first + place * DAY, "0.1", pair="XXBTZEUR")
        for place in range(1_100)
    }
    assert new_fills(mirror("kraken")) == 1_100
    assert {(fill.symbol, fill.base, fill.quote, fill.fee_token) for fill in mirrored()} == {
        ("XXBTZEUR", "BTC", "EUR", "EUR")
    }


def test_a_market_that_is_listed_no_more_is_read_by_its_name(
    server: ExchangeServer, mirror: Mirror, mirrored: Callable[[], list[Fill]]
) -> None:
    server.account(KEY).trades = {
        "TOLD": kraken_trade(server.now_ms - DAY, "5", pair="REPEUR", margin="1.0")
    }
    assert new_fills(mirror("kraken")) == 1
    (fill,) = mirrored()
    assert (fill.account, fill.base, fill.quote, fill.effect) == (
        *("main/margin", "REP", "EUR"),
        "open",
    )


def test_a_venue_says_since_when_a_history_is_whole(
    server: ExchangeServer, mirror: Mirror, store: Store, clock: ManualClock
) -> None:
    mirror("okx")
    since = state(store).whole_since_ms
    assert since is not None
    assert abs(since - (server.now_ms - 89 * DAY)) < 60 * MINUTE
    mirror("okx")
    assert state(store).whole_since_ms == since
    clock.advance(days=120)  # longer than the venue tells
    mirror("okx")
    assert (state(store).whole_since_ms or 0) > since + 100 * DAY


def test_only_what_is_new_is_asked_for_again(server: ExchangeServer, mirror: Mirror) -> None:
    mirror("bybit")
    server.asked.clear()
    mirror("bybit")
    starts = [int(asked.fields["startTime"]) for asked in server.asked_at("/v5/execution/list")]
    assert len(starts) == 3  # funding, spot and contracts
    assert min(starts) > server.now_ms - 4 * 60 * MINUTE


def test_a_file_of_the_venue_and_its_mirror_count_each_trade_once(
    server: ExchangeServer,
    mirror: Mirror,
    store: Store,
    mirrored: Callable[[], list[Fill]],
    clock: ManualClock,
    ids: IdSource,
    tmp_path: Path,
) -> None:
    opened = 1_767_225_600_000  # 2026-01-01 00:00:00
    account = server.account(KEY)
    account.futures = [
        binance_trade(1, opened, "0.002"),
        binance_trade(2, opened + MINUTE, "-0.002"),
    ]
    account.income = [binance_income(place, opened, "COMMISSION", "-0.02") for place in range(2)]
    exported = tmp_path / "Export Trade History (UTC+0).csv"
    exported.write_text(
        "Uid,Time,Symbol,Side,Price,Quantity,Amount,Fee,Realized Profit,Buyer,Maker,Trade ID,"
        "Order ID\n"
        "4711,2026-01-01 00:00:00,BTCUSDT,BUY,50000.10,0.002,100.0002,0.02000004 USDT,0,true,"
        "false,1,9001\n"
        "4711,2026-01-01 00:01:00,BTCUSDT,SELL,50000.10,0.002,100.0002,0.02000004 USDT,0,false,"
        "false,2,9002\n"
    )
    counts, _ = import_export(store, exported, Origin(exported.name, "main"), clock, ids)
    assert counts.fills_new == 2
    assert new_fills(mirror("binance")) == 0
    assert len(mirrored()) == 2


@pytest.fixture
def otherwise(
    server: ExchangeServer, store: Store, clock: ManualClock, ids: IdSource, tmp_path: Path
) -> list[dict[str, str]]:
    """Twelve fills of OKX, a minute apart, two of which a file that is stored tells otherwise."""
    opened = (server.now_ms // MINUTE - 30) * MINUTE + 250
    lines = [
        "UID: 4711,Time Zone: UTC+0",
        "id,Order id,Time,Trade Type,Symbol,Action,Amount,Trading Unit,Filled Price,PnL,Fee,"
        "Fee Unit,Balance Unit",
    ]
    fills = []
    for place in range(12):
        is_sale, at_ms = place % 2, opened + place * MINUTE
        fills.append(okx_fill(place + 1, at_ms, "-3" if is_sale else "3"))
        lines.append(
            f"{99_000 + place},{600_000 + place},{from_millis(at_ms):%Y-%m-%d %H:%M:%S},"
            f"Perpetual swap,"
            f"BTC-USDT-SWAP,{'Sell' if is_sale else 'Buy'},{3 if place > 1 else 6},cont,50000.1,0,"
            "-0.25,USDT,USDT"
        )
    exported = tmp_path / "trading.csv"
    exported.write_text("\n".join([*lines[:2], *reversed(lines[2:]), ""]))
    import_export(store, exported, Origin(exported.name, "main"), clock, ids)
    return fills


def set_aside(report: SyncReport) -> list[int]:
    return [part.fills for source in report.sources for part in source.set_aside]


def test_a_file_that_tells_a_trade_otherwise_counts_and_the_mirror_says_so(
    server: ExchangeServer,
    mirror: Mirror,
    mirrored: Callable[[], list[Fill]],
    otherwise: list[dict[str, str]],
) -> None:
    server.account(KEY).fills = otherwise
    kept = mirrored()
    report = mirror("okx")
    assert (new_fills(report), mirrored()) == (0, kept)
    assert set_aside(report) == [12]


def test_a_late_row_of_a_mirror_is_set_aside_once(
    server: ExchangeServer, mirror: Mirror, otherwise: list[dict[str, str]]
) -> None:
    server.account(KEY).fills = otherwise[:7] + otherwise[8:]
    assert set_aside(mirror("okx")) == [11]
    server.account(KEY).fills = otherwise
    assert set_aside(mirror("okx")) == [12]


def test_a_file_of_ccxt_and_the_mirror_count_each_trade_once(
    server: ExchangeServer,
    mirror: Mirror,
    store: Store,
    mirrored: Callable[[], list[Fill]],
    clock: ManualClock,
    ids: IdSource,
    tmp_path: Path,
) -> None:
    server.account(KEY).fills = [okx_fill(1, server.now_ms - DAY, "3")]
    mirror("okx")
    with reading(store) as conn:
        raw = conn.exec_driver_sql("SELECT raw_json FROM perps_fills").scalar_one()
    file = tmp_path / "trades.json"
    file.write_text(json.dumps([json.loads(raw)]))
    counts, _ = import_export(store, file, Origin(file.name, "main"), clock, ids)
    assert (counts.fills_new, len(mirrored())) == (0, 1)


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    crowds=st.lists(st.integers(1, 130), min_size=1, max_size=4),
    runs=st.lists(st.integers(0, 4), max_size=3),
)
def test_whatever_the_pages_and_runs_each_trade_is_mirrored_once(
    crowds: list[int],
    runs: list[int],
    server: ExchangeServer,
    exchanges: Exchanges,
    stores: Stores,
    clock: ManualClock,
    ids: IdSource,
) -> None:
    """Each hour has a crowd of trades at one moment; some hours are followed by a run."""
    store = stores.group(f"g{ids()[:12].lower()}", create=True)
    parts = MirrorParts(store, clock, ids, exchanges=exchanges)
    add_exchange_account(store, exchanges, "okx", "main", [], clock)
    fills = server.account(KEY).fills = []
    for hour, crowd in enumerate(crowds):
        at_ms = server.now_ms
        fills += [okx_fill(1_000 * hour + place, at_ms, "1") for place in range(crowd)]
        clock.advance(hours=1)
        if hour in runs or hour == len(crowds) - 1:
            sync_accounts(parts, no_hyperliquid(clock), SyncPauses())
    with reading(store) as conn:
        stored = conn.exec_driver_sql("SELECT tid FROM perps_fills").scalars()
        assert sorted(stored) == sorted(row["tradeId"] for row in fills)


@given(
    moments=st.lists(st.integers(0, 30), max_size=60),
    page=st.integers(2, 9),
    newest_first=st.booleans(),
)
def test_a_span_is_read_whole_whichever_end_a_full_page_holds(
    moments: list[int], page: int, newest_first: bool
) -> None:
    rows = [{"id": place, "at": moment} for place, moment in enumerate(sorted(moments))]

    def ask(first: int, last: int) -> list[dict[str, int]]:
        inside = [row for row in rows if first <= row["at"] <= last]
        return inside[-page:] if newest_first else inside[:page]

    got, full = read_span(ask, 0, 30, page, lambda row: row["at"], lambda row: row["id"])
    crowded = {moment for moment in moments if moments.count(moment) >= page}
    assert set(full) <= crowded
    assert [row for row in rows if row["at"] not in full] == [
        row for row in got if row["at"] not in full
    ]


def test_a_file_of_okx_with_ids_of_its_own_and_the_mirror_count_each_trade_once(
    server: ExchangeServer,
    mirror: Mirror,
    store: Store,
    mirrored: Callable[[], list[Fill]],
    clock: ManualClock,
    ids: IdSource,
    tmp_path: Path,
) -> None:
    """The file names bills and counts in seconds; the venue's reply names trades."""
    opened = 1_767_225_600_250
    server.account(KEY).fills = [
        okx_fill(1, opened, "3"),
        okx_fill(2, opened + MINUTE, "-3", fillPnl="4.5", fillPx="50150.1"),
    ]
    assert new_fills(mirror("okx")) == 2
    exported = tmp_path / "trading.csv"
    exported.write_text(
        "UID: 4711,Time Zone: UTC+0\n"
        "id,Order id,Time,Trade Type,Symbol,Action,Amount,Trading Unit,Filled Price,PnL,Fee,"
        "Fee Unit,Balance Unit\n"
        "99002,600002,2026-01-01 00:01:00,Perpetual swap,BTC-USDT-SWAP,Sell,3,cont,50150.1,4.5,"
        "-0.25,USDT,USDT\n"
        "99001,600001,2026-01-01 00:00:00,Perpetual swap,BTC-USDT-SWAP,Buy,3,cont,50000.1,0,"
        "-0.25,USDT,USDT\n"
    )
    counts, _ = import_export(store, exported, Origin(exported.name, "main"), clock, ids)
    assert (counts.fills_new, counts.fills_twin) == (0, 2)
    assert len(mirrored()) == 2
