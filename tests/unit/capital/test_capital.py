"""What the owner's accounts hold together: whole, or not said at all."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.accounts.add import add_account
from afterword.pipeline.domain.accounts.pause import pause_accounts
from afterword.pipeline.domain.accounts.remove import remove_account
from afterword.pipeline.domain.capital.model import CapitalMetrics
from afterword.pipeline.domain.capital.read import missing_capital, read_capital
from afterword.pipeline.domain.capital.refresh import CapitalRefresh, refresh_capital
from afterword.pipeline.domain.capital.rows import book
from afterword.pipeline.domain.capital.tiers import tier_of
from afterword.pipeline.domain.capital.turn import next_capital_at
from afterword.pipeline.errors import CircuitOpenError
from afterword.pipeline.gateway.http.model import AskFailedError
from afterword.pipeline.gateway.venue.info import HyperliquidInfo
from afterword.pipeline.gateway.venue.weight import WeightMeter, WeightSpentError
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.faulty_server import Behaviour, answer, cut, refuses, says
from afterword.pipeline.testing.venue_server import VenueServer, perp_state, spot_balance

MINE, OTHER = "0x" + "ab" * 20, "0x" + "cd" * 20
COOLDOWN = timedelta(hours=1)
DOLLAR = 1_000_000


@pytest.fixture
def server() -> Iterator[VenueServer]:
    with VenueServer() as server:
        server.account(MINE).hold(spot_balance(0, "USDC", "40.5"))
        server.account(MINE).states[""] = perp_state("100.25")
        yield server


@pytest.fixture
def info(server: VenueServer, clock: ManualClock) -> Iterator[HyperliquidInfo]:
    with closing(HyperliquidInfo(server.origin, 5, clock)) as info:
        yield info


class Owner:
    """The owner of one group, who looks at its capital."""

    def __init__(self, store: Store, info: HyperliquidInfo, clock: ManualClock) -> None:
        self.store, self.info, self.clock = store, info, clock
        self.add("main", MINE)

    def add(self, name: str, address: str, kind: Any = "own") -> None:
        add_account(self.store, self.info, name, address, kind, self.clock)

    def refresh(self, *, is_forced: bool = False) -> CapitalRefresh:
        return refresh_capital(self.store, self.info, self.clock, COOLDOWN, is_forced=is_forced)

    def capital(self) -> CapitalMetrics | None:
        with reading(self.store) as conn:
            return read_capital(conn)

    def dollars(self) -> tuple[float, float, float]:
        """Return spot, perpetuals and their sum."""
        known = self.capital()
        assert known is not None
        values = (known.spot_holdings_micro_usd, known.perp_value_micro_usd)
        return (values[0] / DOLLAR, values[1] / DOLLAR, known.capital_total_micro_usd / DOLLAR)

    def due_in(self) -> timedelta | None:
        with reading(self.store) as conn:
            at = next_capital_at(book(conn), self.clock(), COOLDOWN)
        return None if at is None else at - self.clock()

    def rows(self, table: str) -> int:
        with reading(self.store) as conn:
            return int(conn.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


@pytest.fixture
def owner(store: Store, info: HyperliquidInfo, clock: ManualClock, server: VenueServer) -> Owner:
    assert server.requests == 0
    return Owner(store, info, clock)


def asked(server: VenueServer, type: str) -> int:
    return sum(request.type == type for request in server.asked)


@pytest.mark.parametrize(
    ("dollars", "tier"),
    [
        *((-5, "tier_1"), (9.99, "tier_1"), (10, "tier_2"), (99.99, "tier_2"), (100, "tier_3")),
        *((500, "tier_4"), (1_000, "tier_5"), (4_999.99, "tier_5"), (5_000, "tier_6")),
        *((10_000, "tier_7"), (49_999.99, "tier_7"), (50_000, "tier_8"), (1e9, "tier_8")),
    ],
)
def test_a_tier_begins_with_its_lower_bound(dollars: float, tier: str) -> None:
    assert tier_of(round(dollars * DOLLAR)) == tier


def test_a_capital_is_the_spot_balances_and_the_equity_of_every_dex(
    owner: Owner, server: VenueServer
) -> None:
    server.dexes = [None, {"name": "xyz"}, {"name": "hyna"}]
    server.collaterals = {"hyna": 235}
    server.list_token(235, "USDE", "0.5")
    server.list_token(150, "HYPE", "40.0")
    account = server.account(MINE)
    account.states |= {"xyz": perp_state("7.0"), "hyna": perp_state("20.0")}
    account.hold(spot_balance(0, "USDC", "40.5"), spot_balance(150, "HYPE", "2.0"))

    assert owner.refresh().is_new
    assert owner.dollars() == (120.5, 117.25, 237.75)  # 100.25 + 7 + 20 USDE of 0.5
    known = owner.capital()
    assert known is not None
    assert (known.tier, known.kept_since, known.unpriced) == ("tier_3", None, ())


def test_of_an_account_that_holds_dollars_only_no_market_is_asked_for(
    owner: Owner, server: VenueServer
) -> None:
    owner.refresh()
    assert owner.dollars() == (40.5, 100.25, 140.75)
    assert (asked(server, "spotMetaAndAssetCtxs"), asked(server, "meta")) == (0, 0)


@pytest.mark.parametrize("mode", ["unifiedAccount", "portfolioMargin"])
def test_the_margin_of_a_unified_account_is_counted_once(
    owner: Owner, server: VenueServer, mode: str
) -> None:
    account = server.account(MINE)
    account.abstraction = mode
    # The equity by dex is a part of the balance, as its `hold` says.
    account.hold(spot_balance(0, "USDC", "140.75", hold="100.25"))
    owner.refresh()
    assert owner.dollars() == (140.75, 0.0, 140.75)


@pytest.mark.parametrize("mode", ["default", "disabled", "dexAbstraction"])
def test_separate_balances_are_both_counted(owner: Owner, server: VenueServer, mode: str) -> None:
    server.account(MINE).abstraction = mode
    owner.refresh()
    assert owner.dollars() == (40.5, 100.25, 140.75)


def test_a_mode_that_nobody_knows_is_not_guessed(owner: Owner, server: VenueServer) -> None:
    owner.refresh()
    server.account(MINE).abstraction = "somethingNew"
    owner.clock.advance(hours=1)
    with pytest.raises(AskFailedError):
        owner.refresh()
    assert owner.dollars() == (40.5, 100.25, 140.75)


def test_a_token_without_a_price_is_named_and_not_counted(
    owner: Owner, server: VenueServer
) -> None:
    server.list_token(7, "DUST", None)
    server.list_token(8, "ZERO", "0.0")
    server.list_token(9, "PAIR", "3.0", quote=8)  # worth something of what is worth nothing
    server.account(MINE).hold(
        spot_balance(0, "USDC", "40.5"),
        spot_balance(7, "DUST", "1000000.0"),
        spot_balance(9, "PAIR", "5.0"),
        spot_balance(8, "ZERO", "0.0"),
        {"coin": "+12301", "total": "3.0", "hold": "0.0", "entryNtl": "1.0"},
    )
    owner.refresh()
    known = owner.capital()
    assert known is not None
    assert known.unpriced == ("+12301", "DUST", "PAIR")
    assert owner.dollars()[0] == 40.5


def test_a_sum_that_nobody_can_own_is_no_value_and_stops_no_other_account(
    owner: Owner, server: VenueServer
) -> None:
    server.list_token(7, "GIFT", "1000000.0")
    server.account(OTHER).hold(spot_balance(7, "GIFT", "99999999999999999999.0"))
    owner.add("gifted", OTHER)
    (missing,) = owner.refresh().missing
    assert (missing.account, missing.part) == ("gifted", "spot")
    assert "more than 100,000,000,000 dollars" in missing.error
    server.account(OTHER).hold(spot_balance(0, "USDC", "1.0"))
    owner.refresh(is_forced=True)
    assert owner.dollars() == (41.5, 100.25, 141.75)


def test_a_capital_is_shown_to_the_cent_beside_its_tier(
    owner: Owner, server: VenueServer, command: Command
) -> None:
    server.account(MINE).states[""] = perp_state("959.23")
    owner.refresh()
    assert "999.73 USD, tier_4: $500 to $1,000" in command("capital", "show").out


def test_a_token_against_another_one_is_worth_what_that_one_is_worth(
    owner: Owner, server: VenueServer
) -> None:
    server.list_token(9, "PAIR", "2.0", quote=360)
    server.list_token(360, "USDH", "0.99")
    server.account(MINE).hold(spot_balance(9, "PAIR", "5.0"))
    owner.refresh()
    assert owner.dollars()[0] == 9.9


def test_sub_accounts_that_were_added_count_and_references_do_not(
    owner: Owner, server: VenueServer
) -> None:
    sub, whale = server.account(OTHER), server.account("0x" + "ef" * 20)
    sub.role = {"role": "subAccount", "data": {"master": MINE}}
    sub.states[""] = perp_state("10.0")
    whale.states[""] = perp_state("1000000.0")
    owner.add("grid", OTHER)
    owner.add("whale", "0x" + "ef" * 20, "reference")
    owner.refresh()
    assert owner.dollars() == (40.5, 110.25, 150.75)


def test_without_an_own_account_nothing_is_asked_and_nothing_is_known(
    owner: Owner, server: VenueServer
) -> None:
    owner.refresh()
    owner.clock.advance(hours=1)
    remove_account(owner.store, "main", owner.clock)
    before = server.requests
    assert owner.refresh() == CapitalRefresh(None)
    assert (server.requests, owner.capital(), owner.due_in()) == (before, None, None)


FAULTS = pytest.mark.parametrize(
    "fault",
    [cut, refuses(500), says(b"<html>"), says(b"null"), says(b'{"balances": [{"total": 5}]}')],
    ids=["cut", "500", "html", "null", "odd"],
)


@FAULTS
def test_a_part_that_fails_keeps_its_value_and_says_since_when(
    owner: Owner, server: VenueServer, fault: Behaviour
) -> None:
    owner.refresh()
    since = owner.clock()
    owner.clock.advance(days=1)
    server.account(MINE).states[""] = perp_state("300.0")
    server.script(answer, fault)  # the mode is answered, the spot balances are not
    assert owner.refresh().is_new

    assert owner.dollars() == (40.5, 300.0, 340.5)
    known = owner.capital()
    assert known is not None
    assert known.kept_since == since
    assert [part.part for part in known.parts if part.kept_because] == ["spot"]
    assert owner.due_in() == COOLDOWN  # sooner than after a day
    owner.clock.advance(hours=1)
    server.recover()
    owner.refresh()
    known = owner.capital()
    assert known is not None
    assert known.kept_since is None


@FAULTS
def test_one_dex_that_fails_keeps_the_equity_of_all(
    owner: Owner, server: VenueServer, fault: Behaviour
) -> None:
    server.dexes = [None, {"name": "xyz"}]
    server.account(MINE).states["xyz"] = perp_state("7.0")
    owner.refresh()
    owner.clock.advance(hours=1)
    # The mode, the balances, the dexes and the first of them are answered.
    server.script(*[answer] * 4, fault)
    owner.refresh()
    assert owner.dollars() == (40.5, 107.25, 147.75)


@FAULTS
def test_a_part_that_was_never_told_makes_no_sum(
    owner: Owner, server: VenueServer, fault: Behaviour
) -> None:
    server.script(answer, fault)
    done = owner.refresh()
    assert (done.capital, owner.capital()) == (None, None)
    assert [(part.account, part.part) for part in done.missing] == [("main", "spot")]
    assert owner.due_in() == COOLDOWN
    owner.refresh()
    assert owner.dollars() == (40.5, 100.25, 140.75)


def test_an_account_that_is_added_makes_no_sum_until_it_is_told(
    owner: Owner, server: VenueServer
) -> None:
    owner.refresh()
    server.account(OTHER).states[""] = perp_state("10.0")
    owner.add("second", OTHER)
    assert (owner.due_in() or timedelta()) < timedelta()
    server.script(refuses(500))
    with pytest.raises(AskFailedError):
        owner.refresh()
    assert owner.dollars() == (40.5, 100.25, 140.75)
    with reading(owner.store) as conn:
        assert {part.account for part in missing_capital(conn)} == {"second"}
    owner.refresh()
    assert owner.dollars() == (40.5, 110.25, 150.75)
    assert asked(server, "userAbstraction") == 3  # the first account is not asked again


def test_an_outage_keeps_the_last_value_and_is_the_fault_of_no_account(
    owner: Owner, server: VenueServer
) -> None:
    owner.refresh()
    before = owner.capital()
    for _ in range(3):
        owner.clock.advance(days=1)
        server.script(*[refuses(500)] * 20)
        with pytest.raises((AskFailedError, CircuitOpenError)):
            owner.refresh()
    assert owner.capital() == before
    with reading(owner.store) as conn:
        assert [part.error for part in book(conn).parts.values()] == [None, None]


def test_an_outage_in_the_middle_keeps_the_other_accounts_as_they_were(
    owner: Owner, server: VenueServer
) -> None:
    server.account(OTHER).states[""] = perp_state("10.0")
    owner.add("second", OTHER)
    owner.refresh()
    owner.clock.advance(days=1)
    server.account(MINE).states[""] = perp_state("300.0")
    server.account(OTHER).states[""] = perp_state("20.0")
    # All four questions about the first account are answered, nothing of the second one.
    server.script(*[answer] * 4, *[refuses(500)] * 20)
    owner.refresh()
    assert owner.dollars() == (40.5, 310.0, 350.5)
    known = owner.capital()
    assert known is not None
    assert {part.account for part in known.parts if part.kept_because} == {"second"}


def test_a_venue_that_is_busy_ends_a_run_which_goes_on_where_it_ended(
    owner: Owner, server: VenueServer
) -> None:
    server.account(OTHER)
    owner.add("second", OTHER)
    server.script(*[answer] * 4, refuses(429))
    with pytest.raises(AskFailedError):
        owner.refresh()
    assert owner.capital() is None
    server.recover()
    before = asked(server, "spotClearinghouseState")
    owner.clock.advance(minutes=1)
    owner.refresh()
    assert asked(server, "spotClearinghouseState") == before + 1  # of the second account
    assert owner.dollars() == (40.5, 100.25, 140.75)


def test_more_accounts_than_fit_into_a_minute_are_asked_in_several(
    owner: Owner, server: VenueServer, instance: Store, clock: ManualClock
) -> None:
    for number in range(4):
        address = f"0x{number:040x}"
        server.account(address).states[""] = perp_state("1.0")
        owner.add(f"a{number}", address)
    meter = WeightMeter(instance, "hyperliquid", 100, 20, clock)
    with closing(HyperliquidInfo(server.origin, 5, clock, meter=meter)) as info:
        for _ in range(10):
            try:
                refresh_capital(owner.store, info, clock, COOLDOWN)
            except WeightSpentError:
                clock.advance(minutes=1)
    assert owner.dollars() == (40.5, 104.25, 144.75)
    assert asked(server, "userAbstraction") <= 7


def test_a_young_capital_is_not_computed_again_unless_somebody_asks_for_it(
    owner: Owner, server: VenueServer
) -> None:
    owner.refresh()
    began, before = owner.clock(), server.requests
    owner.clock.advance(minutes=59)
    assert owner.refresh().rests_until == began + COOLDOWN
    assert server.requests == before
    assert owner.refresh(is_forced=True).is_new
    assert server.requests > before
    owner.clock.advance(hours=1)
    assert owner.refresh().is_new
    assert owner.due_in() == timedelta(hours=24)


def test_a_clock_that_was_set_back_holds_no_capital(owner: Owner, server: VenueServer) -> None:
    owner.refresh()
    owner.clock.set(owner.clock() - timedelta(days=3))
    server.account(MINE).states[""] = perp_state("300.0")
    assert (owner.due_in() or timedelta()) < timedelta()
    assert owner.refresh().is_new
    assert owner.dollars() == (40.5, 300.0, 340.5)


def test_two_runs_at_once_compute_one_capital(owner: Owner) -> None:
    both, done = Barrier(2), []

    def run() -> None:
        both.wait()
        done.append(owner.refresh(is_forced=True))

    runs = [Thread(target=run) for _ in range(2)]
    for thread in runs:
        thread.start()
    for thread in runs:
        thread.join()
    assert sorted(refresh.is_new for refresh in done) in ([False, True], [True, True])
    assert done[0].capital is not None
    assert owner.rows("capital_metrics") == sum(refresh.is_new for refresh in done)
    assert owner.dollars() == (40.5, 100.25, 140.75)


def test_a_run_that_ended_meanwhile_is_not_repeated(owner: Owner, server: VenueServer) -> None:
    def meanwhile(turn: Any) -> None:
        server.recover()
        owner.refresh()
        answer(turn)

    server.script(meanwhile)
    assert not owner.refresh().is_new
    assert owner.rows("capital_metrics") == 1


def test_a_paused_account_is_not_asked_for_and_keeps_its_value(
    owner: Owner, server: VenueServer
) -> None:
    owner.refresh()
    server.account(OTHER)
    owner.add("second", OTHER)
    pause_accounts(owner.store, "main", owner.clock, pauses=True)
    server.account(MINE).states[""] = perp_state("300.0")
    owner.clock.advance(days=1)
    owner.refresh()
    known = owner.capital()
    assert known is not None
    assert owner.dollars() == (40.5, 100.25, 140.75)
    assert {part.kept_because for part in known.parts} == {"the account is paused", None}


def test_an_account_of_the_same_name_and_another_address_begins_anew(
    owner: Owner, server: VenueServer
) -> None:
    owner.refresh()
    remove_account(owner.store, "main", owner.clock)
    server.account(OTHER).states[""] = perp_state("10.0")
    with writing(owner.store) as conn:
        conn.exec_driver_sql("DELETE FROM perps_fills")
    owner.add("main", OTHER)
    with reading(owner.store) as conn:
        assert len(missing_capital(conn)) == 2
    owner.refresh(is_forced=True)
    assert owner.dollars() == (0.0, 10.0, 10.0)


def test_a_read_of_the_past_returns_what_was_known_then(owner: Owner, server: VenueServer) -> None:
    before = owner.clock()
    owner.clock.advance(hours=1)
    owner.refresh()
    then = owner.clock()
    first = owner.capital()
    owner.clock.advance(days=1)
    server.account(MINE).states[""] = perp_state("300.0")
    owner.refresh()
    with reading(owner.store) as conn:
        assert read_capital(conn, then) == first
        assert read_capital(conn, before) is None
        assert read_capital(conn, owner.clock()) == owner.capital() != first
