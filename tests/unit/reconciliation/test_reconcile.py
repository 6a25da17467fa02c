"""`afterword history reconcile` adds up to the cent, and what it cannot explain it names."""

import json
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.clock import EPOCH, iso
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.faulty_server import answer, refuses
from afterword.pipeline.testing.venue_server import (
    VenueServer,
    perp_state,
    venue_fill,
    venue_payment,
)
from tests.unit.reconciliation.made_account import HOUR_MS, MadeAccount

MINE, SUB = "0x" + "ab" * 20, "0x" + "cd" * 20


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[VenueServer]:
    with VenueServer() as server:
        monkeypatch.setenv("AFTERWORD_HYPERLIQUID_BASE_URL", server.origin)
        yield server


class World:
    """Two accounts of one owner, mirrored as time passes."""

    def __init__(self, server: VenueServer, command: Command, clock: ManualClock) -> None:
        self.command, self.clock = command, clock
        begin = (clock() - EPOCH) // timedelta(milliseconds=1) // HOUR_MS * HOUR_MS + HOUR_MS
        self.main = MadeAccount(server.account(MINE), MINE, begin)
        self.sub = MadeAccount(server.account(SUB), SUB, begin, first_tid=5_000)

    def did(self, *line: str) -> Any:
        done = self.command(*line, "--json")
        assert done.code == 0, done.err
        return done.json

    def add(self, *names: str) -> None:
        for name in names:
            self.did("account", "add", name, {"main": MINE, "sub": SUB}[name], "--own")

    def mirror(self) -> None:
        """Let the present catch up with the accounts, and mirror them."""
        present = EPOCH + timedelta(milliseconds=max(self.main.at_ms, self.sub.at_ms) + 1_000)
        self.clock.set(max(present, self.clock()))
        for source in self.did("sync", "now")["sources"]:
            assert source["error"] is None, source

    def of(self, account: str, *line: str) -> Any:
        (answer,) = self.did("history", "reconcile", account, *line)
        return answer["statement"]

    def told(self, account: str = "main") -> str:
        return " ".join(self.command("history", "reconcile", account).out.split())


@pytest.fixture
def world(server: VenueServer, command: Command, clock: ManualClock) -> World:
    return World(server, command, clock)


def first_week(main: MadeAccount, sub: MadeAccount) -> None:
    """Let an account do one of everything; a position is open at the end."""
    main.deposit("1000.0")
    main.to_spot("300.0")
    main.trade("BTC", "1.5", "100.0", fee="0.12", builderFee="0.04")
    main.wait(130)
    main.trade("BTC", "0.5", "104.0")
    main.withdraw("50.0")
    main.trade("BTC", "-3.0", "103.25", dir="Long > Short")  # turns short
    main.wait(90)
    main.send(sub, "120.5")
    main.buy_token("4.0", "25.0", "0.0028")
    main.trade("ETH", "2.0", "2000.5", fee="-0.2")  # a rebate
    main.wait(65)
    main.buy_token("-1.5", "26.5", "0.03")
    main.to_spot("-20.25")


def second_week(main: MadeAccount, sub: MadeAccount) -> None:
    """Close, be liquidated, and hold another position at the end."""
    main.trade("ETH", "-2.0", "1999.0")
    main.wait(200)
    sub.at_ms = max(sub.at_ms, main.at_ms)
    sub.send(main, "20.5")
    main.at_ms = max(sub.at_ms, main.at_ms)
    main.trade("SOL", "10.0", "30.0")
    main.wait(61)
    forced = {"liquidatedUser": MINE, "method": "market", "markPx": "28.0"}
    main.trade("SOL", "-10.0", "28.0", dir="Close Long", liquidation=forced)
    main.update(
        "liquidation",
        liquidatedNtlPos="280.0",
        accountValue="500.0",
        leverageType="Cross",
        liquidatedPositions=[{"coin": "SOL", "szi": "10.0"}],
    )
    main.deposit("77.77")
    main.trade("BTC", "0.4", "99.0")


def dollars(text: str) -> Decimal:
    return Decimal(text).quantize(Decimal("0.01"))


def sum_of(statement: Any) -> Decimal:
    """Return what a statement says the value at the end is."""
    names = ("realised", "unrealised", "funding", "spot", "rest")
    parts = sum(Decimal(statement[name]) for name in names) - Decimal(statement["fees"])
    return parts + sum(Decimal(each["amount"]) for each in statement["transfers"])


def test_an_account_adds_up_from_its_beginning(world: World) -> None:
    world.add("main", "sub")
    first_week(world.main, world.sub)
    value = world.main.publish(BTC="101.0", ETH="2010.0")
    world.sub.publish()
    world.mirror()
    statement = world.of("main")
    assert (statement["from_beginning"], statement["spans"], statement["reasons"]) == (True, [], [])
    assert dollars(statement["rest"]) == 0
    assert dollars(str(sum_of(statement))) == dollars(str(value))
    assert "It adds up to the cent." in world.told()
    # The builder's 0.04 is in the 0.12; a rebate of 0.2 and a sale of tokens for 0.03 are beside.
    assert Decimal(statement["fees"]) == Decimal("0.12") + 2 * Decimal("0.05") - Decimal("0.17")
    sums = {
        each["kind"]: (each["count"], dollars(each["amount"]), dollars(each["fees"]))
        for each in statement["transfers"]
    }
    assert sums == {
        "accountClassTransfer": (2, 0, 0),
        "deposit": (1, 1000, 0),
        "subAccountTransfer": (1, dollars("-120.5"), 0),
        "withdraw": (1, -51, 1),
    }
    assert statement["last"]["tokens"] == {"HYPE": "2.4972"}
    assert dollars(world.of("sub")["rest"]) == 0


def test_an_account_adds_up_between_two_values_with_positions_open_at_both(world: World) -> None:
    world.add("main", "sub")
    first_week(world.main, world.sub)
    before = world.main.publish(BTC="101.0", ETH="2010.0")
    world.mirror()
    middle = world.clock()
    second_week(world.main, world.sub)
    after = world.main.publish(BTC="98.5")
    world.mirror()
    statement = world.of("main", "--from", iso(middle - timedelta(minutes=1)))
    assert not statement["from_beginning"]
    assert dollars(statement["rest"]) == 0
    assert dollars(str(sum_of(statement))) == dollars(str(after - before))
    assert dollars(statement["unrealised"]) != 0
    assert statement["spans"] == statement["reasons"] == []
    whole = world.of("main")
    assert dollars(str(sum_of(whole))) == dollars(str(after))
    # As it was known at the middle, the second week was not.
    then = world.of("main", "--as-of", iso(middle + timedelta(seconds=1)))
    assert dollars(str(sum_of(then))) == dollars(str(before))


def test_the_weeks_of_an_account_add_up_one_by_one(world: World) -> None:
    world.add("main", "sub")
    world.main.deposit("500.0")
    for week in range(6):
        world.main.trade("BTC", "0.3", f"{100 + week}.0")
        world.main.wait(75)
        world.main.trade("BTC", "-0.7" if week % 2 else "0.2", f"{101 - week}.5")
        world.main.publish(BTC=f"{99 + week}.25")
        world.mirror()
    statement = world.of("main")
    assert (statement["spans"], dollars(statement["rest"])) == ([], 0)
    (answer,) = world.did("history", "reconcile", "main")
    assert answer["values"] == 7  # the beginning, and one of each run


@pytest.fixture
def lived(world: World) -> World:
    """Two accounts with two weeks; the first one is mirrored."""
    world.add("main", "sub")
    first_week(world.main, world.sub)
    world.main.publish(BTC="101.0", ETH="2010.0")
    world.sub.publish()
    world.mirror()
    second_week(world.main, world.sub)
    world.main.publish(BTC="98.5")
    world.sub.publish()
    return world


def rest_of(world: World) -> tuple[Decimal, list[Any]]:
    """Return what the second week leaves, in one span, and the reasons."""
    world.mirror()
    statement = world.of("main")
    (span,) = statement["spans"]
    assert span["rest"] == statement["rest"]
    assert "are not explained. They arose in 1 span" in world.told()
    return dollars(statement["rest"]), statement["reasons"]


def test_nothing_is_named_where_nothing_is_missing(lived: World) -> None:
    lived.mirror()
    statement = lived.of("main")
    assert (statement["spans"], statement["reasons"]) == ([], [])


def test_a_fill_that_is_missing_is_named_by_its_gap(lived: World) -> None:
    fills = lived.main.venue.fills
    (lost,) = [fill for fill in fills if fill["coin"] == "SOL" and fill["side"] == "A"]
    fills.remove(lost)
    later = lived.main
    later.trade("SOL", "1.0", "29.0")
    later.publish()
    rest, reasons = rest_of(lived)
    assert rest == dollars("-20.05")  # a loss of 20, and a fee of 0.05
    (gap,) = [reason for reason in reasons if reason["kind"] == "fills_missing"]
    assert (gap["subject"], gap["expected"], gap["found"]) == ("SOL", "10", "0")
    assert "the position was 10, and then 0" in lived.told()


def test_a_fill_that_is_missing_at_the_end_is_named_by_the_position(lived: World) -> None:
    lost = lived.main.trade("BTC", "0.1", "97.0", fee="0.5")
    lived.main.venue.fills.remove(lost)
    lived.main.publish()
    rest, reasons = rest_of(lived)
    # It closed 0.1 of a short position that was entered at 103.25, with a fee of 0.5.
    assert rest == dollars("0.125")
    (named,) = [reason for reason in reasons if reason["kind"] == "position_differs"]
    assert (named["subject"], named["expected"], named["found"]) == ("BTC", "-0.5", "-0.6")


def test_a_first_fill_that_is_missing_is_named(lived: World) -> None:
    lost = lived.main.trade("DOGE", "100.0", "0.2", fee="0.33")
    lived.main.trade("DOGE", "-100.0", "0.2")
    lived.main.venue.fills.remove(lost)
    lived.main.publish()
    rest, reasons = rest_of(lived)
    assert rest == dollars("-0.33")
    assert {reason["subject"] for reason in reasons if reason["kind"] == "fills_missing"} == {
        "DOGE"
    }
    assert "starts from a position of 100" in lived.told()


def test_a_payment_that_is_missing_is_named_by_its_hour(lived: World) -> None:
    funding = lived.main.venue.funding
    lost = funding.pop()
    rest, reasons = rest_of(lived)
    assert rest == dollars(lost["delta"]["usdc"])
    (named,) = [reason for reason in reasons if reason["kind"] == "funding_missing"]
    hour = iso(EPOCH + timedelta(milliseconds=lost["time"]))
    assert (named["subject"], named["count"]) == (lost["delta"]["coin"], 1)
    assert named["since"] == named["until"] == hour


def test_a_transfer_that_is_missing_is_told_with_its_other_side(lived: World) -> None:
    ledger = lived.main.venue.ledger
    (lost,) = [
        row
        for row in ledger
        if row["delta"].get("user") == SUB and row["delta"]["type"] == "subAccountTransfer"
    ]
    ledger.remove(lost)
    lived.main.send(lived.sub, "3.0")  # both have this one
    lived.main.publish()
    lived.sub.publish()
    rest, reasons = rest_of(lived)
    assert rest == dollars("20.5")
    named = [reason for reason in reasons if reason["kind"] == "transfer_missing"]
    assert [(reason["subject"], reason["amount"]) for reason in named] == [("sub", "20.5")]


def test_of_two_transfers_of_one_transaction_the_missing_one_is_told(world: World) -> None:
    world.add("main", "sub")
    world.main.deposit("1000.0")
    for usdc in ("5.0", "7.0"):
        world.main.send(world.sub, usdc)
    first, second = world.main.venue.ledger[-2:]
    second["hash"] = first["hash"]
    world.main.publish()
    world.sub.publish()
    world.sub.venue.ledger.remove(second)
    world.mirror()
    (reason,) = world.of("sub")["reasons"]
    assert (reason["kind"], reason["subject"]) == ("transfer_missing", "main")
    assert dollars(reason["amount"]) == 7


def test_a_deposit_that_is_missing_is_left_with_its_amount_and_span(lived: World) -> None:
    ledger = lived.main.venue.ledger
    (lost,) = [row for row in ledger if row["delta"].get("usdc") == "77.77"]
    ledger.remove(lost)
    rest, reasons = rest_of(lived)
    assert rest == dollars("77.77")
    assert "fills_missing" not in {reason["kind"] for reason in reasons}


def test_an_unknown_type_counts_as_nothing_and_is_told(lived: World) -> None:
    ledger = lived.main.venue.ledger
    (strange,) = [row for row in ledger if row["delta"].get("usdc") == "77.77"]
    strange["delta"] = {"type": "luckyDraw", "prize": "77.77"}
    rest, reasons = rest_of(lived)
    assert rest == dollars("77.77")
    named = [reason for reason in reasons if reason["kind"] == "transfer_unknown"]
    assert [(reason["subject"], reason["count"]) for reason in named] == [("luckyDraw", 1)]
    said = "1 update of the ledger of the type luckyDraw: its effect is not known"
    assert said in lived.told()


def test_rows_that_come_late_close_the_rest_and_leave_the_past_as_it_was(lived: World) -> None:
    venue = lived.main.venue
    late_fill, late_payment = lived.main.trade("BTC", "0.1", "97.0"), venue.funding.pop()
    (late_deposit,) = [row for row in venue.ledger if row["delta"].get("usdc") == "77.77"]
    venue.fills.remove(late_fill)
    venue.ledger.remove(late_deposit)
    lived.main.publish()
    rest_of(lived)
    then, at = lived.of("main"), lived.clock()
    venue.trade([late_fill])
    venue.funding.append(late_payment)
    venue.ledger.append(late_deposit)
    lived.main.wait(31)
    lived.main.publish()
    lived.mirror()
    statement = lived.of("main")
    assert (statement["spans"], dollars(statement["rest"])) == ([], 0)
    assert lived.of("main", "--as-of", iso(at)) == then


def test_a_history_that_is_not_whole_says_since_when(
    server: VenueServer, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = world.main
    main.deposit("1000.0")
    lost = [main.trade("BTC", "1.0", "100.0"), main.trade("BTC", "-1.0", "107.0")]
    for _ in range(6):
        main.trade("BTC", "1.0", "100.0")
        main.trade("BTC", "-1.0", "101.0")
    monkeypatch.setattr("afterword.pipeline.testing.venue_server._REACHABLE_FILLS", 12)
    monkeypatch.setattr("afterword.pipeline.domain.sync.progress.REACHABLE_FILLS", 12)
    world.add("main")
    main.publish()
    rest, reasons = rest_of(world)
    assert rest == dollars("6.9")  # two fills that nobody has: a profit of 7, and fees
    (named,) = [reason for reason in reasons if reason["kind"] == "history_not_whole"]
    first = main.venue.fills[len(lost)]["time"]
    assert named["until"] == iso(EPOCH + timedelta(milliseconds=first))
    # The next run keeps a second value, and the time that is not whole is left out.
    main.trade("BTC", "1.0", "100.0")
    main.publish()
    world.mirror()
    statement = world.of("main")
    assert (statement["from_beginning"], statement["spans"]) == (False, [])


def test_a_unified_account_counts_its_dollars_once(world: World) -> None:
    world.add("main")
    main = world.main
    main.venue.abstraction = "unifiedAccount"
    main.deposit("1000.0")
    main.trade("BTC", "1.0", "100.0", fee="0.5")
    main.publish(BTC="110.0")
    # All dollars stand in the spot account, marked to the market (10 are unrealised), and the
    # perpetual one repeats what backs its position.
    main.venue.spot["balances"][0]["total"] = "1009.5"
    main.venue.states[""]["marginSummary"]["accountValue"] = "31.0"
    world.mirror()
    statement = world.of("main")
    assert dollars(str(sum_of(statement))) == dollars("1009.5")
    assert dollars(statement["rest"]) == 0


def test_positions_of_every_dex_are_counted(server: VenueServer, world: World) -> None:
    world.add("main")
    server.dexes = [None, {"name": "xyz", "fullName": "xyz"}]
    main = world.main
    main.deposit("1000.0")
    main.update(
        "send",
        user=MINE,
        destination=MINE,
        sourceDex="",
        destinationDex="xyz",
        token="USDC",
        amount="400.0",
        usdcValue="400.0",
        fee="0.0",
        nativeTokenFee="0.0",
        nonce=1,
        feeToken="",
    )
    main.publish()
    main.venue.states["xyz"] = main.venue.states[""] | {"marginSummary": {"accountValue": "400.0"}}
    main.venue.states[""] |= {"marginSummary": {"accountValue": "600.0"}}
    world.mirror()
    assert dollars(world.of("main")["rest"]) == 0


def test_what_a_dex_keeps_in_another_token_is_no_dollar(server: VenueServer, world: World) -> None:
    world.add("main")
    server.dexes = [None, {"name": "hyna", "fullName": "hyna"}]
    server.collaterals = {"hyna": 235}
    main = world.main
    main.deposit("1000.0")
    main.publish()
    main.venue.states["hyna"] = perp_state("400.0")
    main.trade("hyna:CL", "1.0", "60.0", fee="0.6", feeToken="USDE")
    main.venue.funding.append(venue_payment(main.at_ms, "hyna:CL", "-0.25"))
    world.mirror()
    statement = world.of("main")
    assert (statement["last"]["perps"], statement["rest"]) == ("1000", "0")
    assert statement["last"]["tokens"] == {"token 235 in hyna": "400"}


def test_what_pays_in_another_token_is_named(lived: World) -> None:
    main = lived.main
    main.trade("xyz:CL", "1.0", "60.0", fee="0.6", feeToken="USDH")
    main.trade("xyz:CL", "-1.0", "65.0", fee="0.6", feeToken="USDH")
    main.publish()
    rest, reasons = rest_of(lived)
    assert rest == dollars("3.8")  # in dollars of the venue's value, and in none of ours
    named = [reason for reason in reasons if reason["kind"] == "other_token"]
    assert [(reason["subject"], reason["count"]) for reason in named] == [("USDH", 2)]


def test_a_name_that_had_another_address_begins_anew(world: World) -> None:
    world.add("main")
    world.main.deposit("1000.0")
    world.main.publish()
    world.mirror()
    world.did("account", "rm", "main")
    world.clock.advance(minutes=1)
    world.did("account", "add", "main", SUB, "--own")
    world.sub.at_ms = world.main.at_ms
    world.sub.deposit("7.0")
    world.sub.publish()
    world.mirror()
    statement = world.of("main")
    assert [each["amount"] for each in statement["transfers"]] == ["7"]
    assert (statement["last"]["perps"], statement["spans"]) == ("7", [])


def test_a_run_that_fails_gives_no_value_that_rows_do_not_reach(
    server: VenueServer, lived: World
) -> None:
    before = lived.of("main")
    lived.clock.advance(hours=12)
    server.script(*[answer] * 6, refuses(500))  # the fills of the first account
    lived.did("sync", "now", "main")
    assert lived.of("main") == before
    lived.mirror()
    statement = lived.of("main")
    assert statement["spans"] == []
    assert statement["last"]["time_ms"] > before["last"]["time_ms"]


def test_one_value_is_too_few(world: World) -> None:
    world.add("main")
    assert "no value of this span is known" in world.told()
    world.mirror()
    assert "1 value of this span is known" in world.told()
    assert (
        "must be before --to"
        in world.command(
            *("history", "reconcile", "--from", "2026-01-02T00:00:00Z"),
            *("--to", "2026-01-01T00:00:00Z"),
        ).err
    )
    assert "no account is named" in world.command("history", "reconcile", "nobody").err


def test_a_reference_is_refused(server: VenueServer, world: World) -> None:
    world.did("account", "add", "whale", MINE, "--reference")
    assert "it is not mirrored" in world.command("history", "reconcile", "whale").err


def test_no_run_of_the_mirror_is_advised_for_a_time_that_is_over(world: World) -> None:
    world.add("main")
    world.main.deposit("1000.0")
    world.mirror()
    past = ("history", "reconcile", "main", "--to", "2020-01-01T00:00:00Z")
    future = ("history", "reconcile", "main", "--from", iso(world.clock() + timedelta(days=1)))

    over, ahead = (" ".join(world.command(*line).out.split()) for line in (past, future))

    assert "no value of this span is known. None can be had for the past" in over
    assert "sync now" not in over
    assert "`afterword sync now main`" in ahead


def test_without_a_payment_a_trip_has_no_funding_where_the_mirror_is_whole(
    world: World, tmp_path: Path
) -> None:
    world.add("main")
    world.main.deposit("1000.0")
    world.main.trade("BTC", "1.0", "100.0")
    world.main.trade("BTC", "-1.0", "101.0")
    world.mirror()
    (known,) = world.did("trades", "ls")
    assert (known["trip"]["funding"], known["not_in_net"]) == ("0", [])

    # What a file brings beyond the last run may have a payment that nobody asked for yet.
    late = (world.clock() - EPOCH) // timedelta(milliseconds=1) + 60_000
    rows = [
        venue_fill(900, late, "1.0", coin="ETH"),
        venue_fill(901, late + 60_000, "-1.0", "1.0", coin="ETH", closedPnl="0.0"),
    ]
    file = tmp_path / "fills.json"
    file.write_text(json.dumps(rows))
    world.clock.advance(minutes=5)
    world.did("history", "import", str(file), "--account", "main")

    by_symbol = {each["trip"]["symbol"]: each for each in world.did("trades", "ls")}
    assert by_symbol["ETH"]["not_in_net"] == ["funding"]
    assert by_symbol["BTC"]["not_in_net"] == []
