"""When strategies ran, and what each run brought, told by the command line and by an agent."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from afterword.pipeline.clock import from_millis
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.strategies.model import NewStrategyRun
from afterword.pipeline.domain.strategies.runs import start_strategy
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command, CommandResult
from afterword.pipeline.testing.fills import START_MS, traded

GRID = ("strategy", "start", "grid", "--symbol", "BTC", "--symbol", "ETH", "--capital", "1000")


@pytest.fixture
def agent(writer: Writer) -> Agent:
    return Agent(Door(writer, begin_session(writer).handle))


@pytest.fixture
def command(command: Command, store: Store, clock: ManualClock) -> Command:
    """The command line, a minute before the trades of these tests."""
    assert store.name == "main"
    clock.set(from_millis(START_MS) - timedelta(minutes=1))
    return command


def audited(store: Store) -> list[tuple[str, str]]:
    with reading(store) as conn:
        rows = conn.exec_driver_sql(
            "SELECT actor, tool_call FROM audit_log WHERE tool_call LIKE 'strategy.%' ORDER BY id"
        )
        return [(actor, action) for actor, action in rows]


def states(done: CommandResult) -> list[tuple[str, str | None]]:
    """Return strategy and stop reason of each listed run."""
    return [(row["strategy"], row["stop_reason"]) for row in done.json["runs"]]


def test_a_run_is_kept_from_its_start_to_its_stop(
    command: Command, store: Store, clock: ManualClock
) -> None:
    assert command(*GRID).out.startswith("grid runs from now on, with $1,000 in BTC, ETH.")
    clock.advance(hours=5)
    done = command("strategy", "stop", "grid", "--reason", "drawdown_protection", "--pnl", "-12.5")
    assert done.out == (
        "grid is stopped (drawdown_protection). It brought −$12.50, as was said when it stopped.\n"
    )
    (run,) = command("strategy", "ls", "--json").json["runs"]
    assert (run["status"], run["allocated_capital_micro_usd"]) == ("stopped", 1_000_000_000)
    assert run["stopped_at"] > run["started_at"]
    assert (run["realized_pnl_micro_usd"], run["basis"]) == (-12_500_000, "given")
    assert audited(store) == [("owner", "strategy.start"), ("owner", "strategy.stop")]


def test_each_time_it_is_enabled_is_a_run_of_its_own(command: Command) -> None:
    for reason in ("user_manual", "liquidated"):
        command(*GRID)
        command("strategy", "stop", "grid", "--reason", reason)
    command(*GRID)
    assert states(command("strategy", "ls", "--json")) == [
        ("grid", None),
        ("grid", "liquidated"),
        ("grid", "user_manual"),
    ]


def test_the_same_start_again_changes_nothing_and_another_one_is_refused(
    command: Command, store: Store, clock: ManualClock
) -> None:
    command(*GRID)
    clock.advance(hours=1)
    assert "grid runs since " in command(*GRID).out
    other = command("strategy", "start", "grid", "--symbol", "BTC", "--capital", "2000")
    assert other.code != 0
    assert "strategy: is running since" in other.err
    assert len(audited(store)) == 1


def test_two_starts_at_once_are_one_run(writer: Writer, store: Store) -> None:
    new = NewStrategyRun(strategy="grid", symbols=("BTC",), allocated_capital_usd=5)
    with ThreadPoolExecutor(8) as threads:
        started = list(threads.map(lambda _: start_strategy(writer, new), range(8)))
    assert sum(one.is_new for one in started) == 1
    assert len(audited(store)) == 1


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (("start", " ", "--symbol", "BTC", "--capital", "1"), "strategy: is blank"),
        (("start", "x" * 101, "--symbol", "BTC", "--capital", "1"), "strategy: has 101"),
        (("start", "grid", "--symbol", "", "--capital", "1"), "symbols: is blank"),
        (("start", "grid", "--symbol", "BTC", "--capital", "0"), "allocated_capital_usd: must be"),
        (("start", "grid", "--symbol", "BTC", "--capital", "-5"), "allocated_capital_usd: must be"),
        (("start", "grid", "--symbol", "BTC", "--capital", "ten"), "allocated_capital_usd: is"),
        (("start", "grid", "--symbol", "BTC", "--capital", "nan"), "allocated_capital_usd: is"),
        (
            ("start", "grid", "--symbol", "BTC", "--capital", "1", "--account", "nobody"),
            "account: must have trades",
        ),
        (("stop", "grid"), "strategy: 'grid' is not running"),
        (("stop", "running", "--pnl", "lots"), "pnl: is"),
        (("ls", "--running", "a", "--as-of", "2026-01-01T00:00:00Z"), "running: cannot be given"),
        (("ls", "--running", "x" * 101), "strategy: has 101"),
        (("ls", "--limit", "0"), "limit: is 0"),
        (("show", "grid"), "strategy: no run of 'grid'"),
    ],
)
def test_what_is_wrong_is_refused_by_name_and_nothing_is_written(
    command: Command, store: Store, line: tuple[str, ...], field: str, clock: ManualClock
) -> None:
    command("strategy", "start", "running", "--symbol", "BTC", "--capital", "1")
    clock.advance(hours=1)
    done = command("strategy", *line)
    assert done.code != 0
    assert field in done.err
    assert len(audited(store)) == 1


def test_who_lists_what_runs_closes_what_does_not(
    agent: Agent, store: Store, clock: ManualClock
) -> None:
    for name in ("grid", "breakout", "carry"):
        agent.strategy_start(name, ["BTC"], "100")
    clock.advance(minutes=10)
    agent.strategy_start("late", ["BTC"], 100)
    clock.advance(seconds=119)
    runs = agent.strategies(running=["grid", "unknown here"])
    assert [(run.strategy, run.stop_reason) for run in runs] == [
        ("late", None),  # it was enabled less than two minutes ago
        ("grid", None),
        ("carry", "other"),
        ("breakout", "other"),
    ]
    clock.advance(seconds=1)
    agent.strategies(running=["grid"])
    assert {run.strategy for run in agent.strategies() if run.status == "running"} == {"grid"}
    assert audited(store)[-3:] == [("agent", "strategy.reconcile")] * 3
    assert agent.strategies(running=[])[0].status == "stopped"


def test_a_list_alone_closes_nothing(command: Command, agent: Agent, clock: ManualClock) -> None:
    command(*GRID)
    clock.advance(days=9)
    assert [run.status for run in agent.strategies()] == ["running"]
    assert states(command("strategy", "ls", "--json")) == [("grid", None)]
    assert states(command("strategy", "ls", "--running", "a,grid", "--json")) == [("grid", None)]
    done = command("strategy", "ls", "--running", "")
    assert done.out.endswith("1 run was closed: it does not run any more.\n")


def test_a_name_with_a_comma_is_listed_in_quotes(command: Command, clock: ManualClock) -> None:
    for name in ("grid", "carry, slow"):
        command("strategy", "start", name, "--symbol", "BTC", "--capital", "1")
    clock.advance(minutes=3)
    done = command("strategy", "ls", "--running", '"carry, slow", grid', "--json")
    assert [reason for _, reason in states(done)] == [None, None]
    assert "running: has quotes" in command("strategy", "ls", "--running", '"grid').err


def test_a_clock_that_was_set_back_keeps_no_run_open(agent: Agent, clock: ManualClock) -> None:
    agent.strategy_start("grid", ["BTC"], 100)
    clock.set(clock() - timedelta(seconds=5))
    assert agent.strategies(running=[])[0].status == "running"  # it was enabled just now
    clock.set(clock() - timedelta(days=3))
    (run,) = agent.strategies(running=[])
    assert (run.status, run.stopped_at) == ("stopped", run.started_at)


def imported(store: Store, writer: Writer, *trips: tuple[int, int, str], **changes: Any) -> None:
    """Import round trips of one coin at 100: entered and left at minutes, at an exit price."""
    fills = [
        fill
        for entered, left, price in trips
        for fill in (
            traded(entered, "1", "100", **changes),
            traded(left, "-1", price, **changes),
        )
    ]
    import_fills(store, fills, writer.clock, writer.ids)


def test_the_trades_of_the_account_say_what_a_run_brought(
    command: Command, store: Store, writer: Writer, clock: ManualClock
) -> None:
    # One trip before the run, two in it, of which one closes after it, and one entered after it.
    imported(store, writer, (-90, -60, "150"))
    command(*GRID, "--account", "me")
    done = command("strategy", "show", "grid")
    assert "No trip of me that was entered while it ran can be counted yet." in done.out
    clock.advance(minutes=60)
    command("strategy", "stop", "grid")
    imported(store, writer, (5, 10, "130"), (20, 90, "95"), (100, 110, "150"))
    imported(store, writer, (5, 10, "500"), symbol="SOLUSDT", base="SOL")
    imported(store, writer, (5, 10, "500"), account="other")
    imported(store, writer, (6, 9, "101"), symbol="ETHBTC", base="ETH", quote="BTC")
    (run,) = command("strategy", "ls", "--json").json["runs"]
    assert (run["realized_pnl_micro_usd"], run["basis"]) == (25_000_000, "trips")
    assert (run["trips"], run["left_out"]) == (2, 0)
    shown = command("strategy", "show", "grid").out
    assert "It brought $25.00 by 2 round trips of me entered while it ran." in shown


def test_a_trip_with_missing_fills_is_left_out_and_told(
    command: Command, store: Store, writer: Writer, clock: ManualClock
) -> None:
    perp: dict[str, Any] = {"venue": "hyperliquid", "kind": "perp", "quote": "USDC"}
    market = {"symbol": "BTC", "base": None, "start_position": Decimal(1)}
    imported(store, writer, (-90, -60, "150"))
    command(*GRID, "--account", "me")
    sale = traded(5, "-1", "100", closed_pnl="7", **perp | market)
    import_fills(store, [sale], writer.clock, writer.ids)
    clock.advance(hours=1)
    (run,) = command("strategy", "ls", "--json").json["runs"]
    assert (run["realized_pnl_micro_usd"], run["trips"], run["left_out"]) == (None, 0, 1)
    assert "1 trip cannot be counted" in command("strategy", "show", "grid").out


def test_trades_that_become_known_later_change_what_a_run_brought(
    command: Command, store: Store, writer: Writer, agent: Agent, clock: ManualClock
) -> None:
    imported(store, writer, (-90, -60, "150"))
    command(*GRID, "--account", "me")
    clock.advance(minutes=60)
    imported(store, writer, (5, 10, "130"))
    command("strategy", "stop", "grid")
    then = clock()
    assert agent.strategies()[0].realized_pnl_usd == "30"
    clock.advance(days=1)
    imported(store, writer, (20, 30, "90"))
    (now,) = agent.strategies()
    assert (now.realized_pnl_usd, now.basis, now.trips) == ("20", "trips", 2)
    assert agent.strategies(as_of=then)[0].realized_pnl_usd == "30"


def test_a_profit_that_the_account_tells_is_not_taken_from_anybody(
    command: Command, store: Store, writer: Writer
) -> None:
    imported(store, writer, (-90, -60, "150"))
    command(*GRID, "--account", "me")
    done = command("strategy", "stop", "grid", "--pnl", "5")
    assert "pnl: follows from the trades of me" in done.err
    assert states(command("strategy", "ls", "--json")) == [("grid", None)]


def test_a_read_of_the_past_shows_a_run_as_it_was(command: Command, clock: ManualClock) -> None:
    before = clock()
    clock.advance(minutes=1)
    command(*GRID)
    while_it_runs = clock()
    clock.advance(hours=1)
    command("strategy", "stop", "grid", "--pnl", "5")

    def known(moment: datetime) -> list[tuple[str, int | None]]:
        done = command("strategy", "ls", "--as-of", moment.isoformat(), "--json")
        return [(run["status"], run["realized_pnl_micro_usd"]) for run in done.json["runs"]]

    assert known(before) == []
    assert known(while_it_runs) == [("running", None)]
    assert known(clock()) == [("stopped", 5_000_000)]


def test_secrets_in_names_are_masked(agent: Agent, store: Store) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    run = agent.strategy_start(f"grid {secret}", [f"BTC {secret}"], 100)
    with reading(store) as conn:
        (row,) = conn.exec_driver_sql("SELECT strategy, symbols FROM strategy_runs")
    assert secret not in f"{run} {row}"
    assert agent.strategies(running=[f"grid {secret}"])[0].status == "running"
    assert agent.strategy_stop(f"grid {secret}").status == "stopped"


def test_an_agent_is_refused_by_name(agent: Agent) -> None:
    with pytest.raises(NotFoundError):
        agent.strategy_stop("grid")
    with pytest.raises(InvalidInputError) as refused:
        agent.strategies(running="grid")  # type: ignore[arg-type]
    assert refused.value.field == "running"


def test_a_capital_of_less_than_a_cent_is_not_told_as_nothing(command: Command) -> None:
    start = ("strategy", "start", "dust", "--symbol", "BTC", "--capital", "0.000001")

    assert command(*start).out.startswith("dust runs from now on, with $0.000001 in BTC.")
    assert "$0.000001" in command("strategy", "ls").out
