"""How rebuilds run: for somebody who asks, by the schedule, and at the start of a process."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from afterword.pipeline.core.jobs.has_work import WorkQuery
from afterword.pipeline.core.store import reading
from afterword.pipeline.core.store.stores import Stores
from afterword.pipeline.domain.profile.financial_profile import read_financial_profile
from afterword.pipeline.domain.rebuilds.has_work import rebuild_due
from afterword.pipeline.domain.rebuilds.turn import LONGEST_RETRY, retry_after
from afterword.pipeline.settings import Settings, load
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.venue_server import VenueServer, venue_fill
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context
from tests.unit.rebuilds.trader import MINUTE_MS, Trader

MINE = "0x" + "ab" * 20


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[VenueServer]:
    with VenueServer() as server:
        monkeypatch.setenv("AFTERWORD_HYPERLIQUID_BASE_URL", server.origin)
        yield server


def due(trader: Trader, job: str = "rebuild_trading_summary") -> object:
    with reading(trader.agent.store) as conn:
        query = WorkQuery(job, {}, trader.clock(), None)
        return rebuild_due(trader, conn, query)


def test_a_refresh_mirrors_the_accounts_first_and_tells_what_it_did(
    trader: Trader, clock, command: Command, server: VenueServer
) -> None:
    account = server.account(MINE)
    at = int(clock().timestamp() * 1_000) - 60 * MINUTE_MS
    account.fills += [
        venue_fill(1, at, "1.0"),
        venue_fill(2, at + MINUTE_MS, "-1.0", "1.0", px="103.0", closedPnl="3.0"),
    ]
    assert command("account", "add", "main", MINE, "--own").code == 0

    done = command("profile", "refresh", "--json")

    assert done.code == 0, done.err
    assert {source["new"] for source in done.json["sync"]["sources"]} == {0, 2}
    summary, tags = done.json["rebuilds"][:2]
    assert (summary["name"], summary["outcome"]) == ("trading_summary", "rebuilt")
    assert summary["changes"] == ["the summary of your trades"]
    assert (tags["name"], tags["outcome"]) == ("tags", "rebuilt")
    assert "1 round trip closed" in command("profile", "show").out


def test_a_refresh_works_without_the_venue(
    trader: Trader, command: Command, server: VenueServer
) -> None:
    server.account(MINE)
    assert command("account", "add", "main", MINE, "--own").code == 0
    trader.trip(3.0)
    server.__exit__(None, None, None)

    done = command("profile", "refresh")

    assert done.code == 0, done.err
    assert "The accounts were not mirrored: " in done.out
    assert "trading_summary: rebuilt: the summary of your trades" in done.out


def test_a_refresh_runs_the_summary_in_its_pause_and_the_rest_only_with_all(
    trader: Trader, command: Command
) -> None:
    assert "trading_summary: nothing to rebuild from" in command("profile", "refresh").out
    trader.trip(3.0)
    command("profile", "refresh")

    again = command("profile", "refresh").out
    assert "trading_summary: rebuilt: as it was" in again
    assert "tags: rests until " in again
    assert "tags: rebuilt" in command("profile", "refresh", "--all").out


def test_the_owner_sees_when_each_ran_and_is_due(trader: Trader, clock, command: Command) -> None:
    trader.trip(3.0)
    command("profile", "refresh")
    trader.trip(1.0)

    shown = command("profile", "show", "--json").json["rebuilds"][0]

    assert shown["state"]["updated_at"] == shown["state"]["tried_at"] is not None
    assert shown["rests_until"] == shown["state"]["next_update"]
    assert (
        "rebuilds" not in command("profile", "show", "--json", "--as-of", clock().isoformat()).json
    )


def test_disabled_rebuilds_change_nothing_whoever_asks(
    trader: Trader, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFTERWORD_PERSONALIZATION_REBUILD", "disabled")
    trader.trip(3.0)
    trader.settings = Settings(personalization_rebuild="disabled")

    assert "off: AFTERWORD_PERSONALIZATION_REBUILD=disabled" in command("profile", "refresh").out
    assert due(trader) is None
    assert trader.rebuild(is_forced=True).outcome == "disabled"
    assert trader.profile().platform_wallet_summary is None


def test_the_schedule_has_work_at_the_end_of_the_pause_if_there_is_news(trader, clock) -> None:
    assert due(trader) is None
    trader.trip(3.0)
    assert due(trader) is not None
    trader.rebuild()
    ended = clock()
    assert due(trader) is None
    trader.swap()
    assert due(trader) == ended + timedelta(minutes=30)


def test_pauses_after_failures_grow_to_a_bound() -> None:
    pauses = [retry_after(failures) for failures in (1, 2, 3, 40)]

    assert pauses[:3] == [timedelta(minutes=minutes) for minutes in (1, 2, 4)]
    assert pauses[3] == LONGEST_RETRY


def test_rebuild_on_boot_rebuilds_every_group_at_the_start(home, stores: Stores, trader) -> None:
    trader.trip(3.0)
    trader.rebuild()
    first = trader.state().updated_at
    settings = load(home=home, synchronous="NORMAL", shutdown_grace_s=0.2, rebuild_on_boot=True)

    with Up(build_context(settings), table=(), routes=ROUTES, threads=2) as up:
        up.start()
        wait_until(lambda: trader.state().runs == 2, timeout_s=20)

    assert trader.state().updated_at > first
    assert read_financial_profile(trader.agent.store).platform_wallet_summary
