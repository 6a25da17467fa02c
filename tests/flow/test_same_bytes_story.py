"""One story through the doors stores the same bytes on every machine.

A change that moves code and keeps behaviour leaves every digest of `STORED` as it is.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import ToolCall
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent, call
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.recall.prompts.brief import BriefLimits
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.judge import eager_judge
from afterword.pipeline.testing.roles import HOUR, jagged
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.table import whole_table
from afterword.schedules.tick import Ticker
from afterword.schedules.work import rules
from afterword.workers.routes import ROUTES
from afterword.workers.testing import work_off
from afterword.workers.worker.app import build_context
from afterword.workers.worker.context import Context

FILLS = Path(__file__).parents[2] / "docs" / "examples" / "fills.json"
DIGITS = 16
"""Digits of a digest that are compared."""

NOT_OURS = ("memories_fts_%", "sqlite_stat%", "chain_%")
"""Tables in SQLite's own formats, which change with its version, and chains, keyed by chance."""

STORED = {
    "instance": {
        "budget_reservations": "5f98bda8e59ce397",
        "budget_switch": "c1b9ef21704f2c10",
        "budget_windows": "38fcbfda388cd2a7",
        "circuits": None,
        "cron_specs": "3208015ba1b21495",
        "group_exports": None,
        "llm_usage": "92d33a3873c61f40",
        "page_actions": None,
        "page_sessions": None,
        "sqlite_sequence": "cc3e980d9e46ff78",
        "store_identity": "771e5885dd752ad2",
        "switch_changes": "7ef58e921ac27135",
        "tokens": None,
        "venue_requests": None,
    },
    "main": {
        "account_values": None,
        "accounts": None,
        "audit_log": "28d4c73dde6df5f7",
        "capital_metrics": None,
        "capital_parts": None,
        "chat_statements": None,
        "client_answers": None,
        "client_days": None,
        "client_sessions": None,
        "closed_trades": None,
        "cron_entries": "afbf6adb25f324e6",
        "cron_ticks": "daaa75a47250acec",
        "decision_contexts": "37d4528a05dc102f",
        "embedding_models": "a328fa504a6bcab9",
        "ended_turns": "fb0ce3ede2105319",
        "erasures": "765fbc14d35d17ff",
        "export_mappings": None,
        "external_spot_activities": None,
        "facts": "9acf1a01b18037e3",
        "fill_gaps": "20a8a05107d8fe88",
        "financial_profile": "94be0a3cbd2b65e5",
        "funding_payments": None,
        "history_files": "5510ea8df1ffa8a3",
        "import_keys": None,
        "injection_flags": None,
        "institution_reflections": None,
        "institution_role_outputs": None,
        "institution_runs": None,
        "job_runs": "509fa9877b25fb39",
        "job_stats": "67d741db5e2c5079",
        "jobs": "c24411beea342856",
        "judge_evidence": "a73046bd5be5ee78",
        "learned_preferences": None,
        "learning_reviews": None,
        "learning_terms": None,
        "learning_turns": None,
        "learnings": None,
        "lesson_prompts": "5ec0f5dc810707ba",
        "lesson_sets": "e607f06712b1017d",
        "memories": "890c656fe71e0809",
        "memories_fts": "1d456036ee34ebe1",
        "memory_absences": "057d660c7871eb54",
        "memory_consolidation_events": "9289f37d6f722bdb",
        "memory_edges": "8ddc9236e2f0dd41",
        "memory_parents": "7886262060eb0dee",
        "memory_purges": "821e70fce4e9a2f6",
        "memory_vectors": "d0e05de012a1bd4a",
        "methodologies": None,
        "methodology_audit_reports": None,
        "methodology_case_hints": None,
        "methodology_cases": None,
        "methodology_citations": None,
        "methodology_cron_runs": None,
        "methodology_lifecycle_events": None,
        "methodology_sightings": None,
        "methodology_terms": None,
        "minara_history_sync_state": None,
        "onboarding_answers": None,
        "outcome_stats": "a9e2c69590a22415",
        "outcomes": "b3c667d97bef08b8",
        "paused_kinds": "2fef332cac1bcdef",
        "perps_fills": "e9eb9eae844fb2ed",
        "preference_minings": "1482e37723ca112c",
        "preference_observations": "b9876022cafa0a85",
        "price_classes": None,
        "price_series": "20977e0b9e1512cc",
        "price_splits": "5d4e7488c351bea9",
        "prices": "0dd70f9afea07a10",
        "rebuild_cursors": "f7e82641caee32c1",
        "rebuilds": "9a0388e2ab4faa96",
        "replay_decisions": None,
        "replay_links": None,
        "replay_runs": None,
        "role_memory": "eeaea5c3be14691f",
        "role_patterns": None,
        "role_shadows": "d4f120c6cdf23630",
        "role_stats": "af12ab949cc31c46",
        "role_vectors": "904a9d4fb0b5f34a",
        "role_weighings": "279368ff820a4e91",
        "round_trips": "8409418021e43bec",
        "session_snapshots": "3d52d7b7a5255b5a",
        "sessions": "9d97b84fb9cc1351",
        "sqlite_sequence": "a1db959dc4647698",
        "store_identity": "3702082c448a4f68",
        "strategy_runs": None,
        "trade_history": None,
        "trade_verdicts": None,
        "trading_summary_parts": "a7192ff38f497bb5",
        "transfers": None,
        "trip_notes": None,
        "trip_tags": None,
        "turn_tags": None,
        "turns": "bb3171c15b284e7f",
        "user_profile": "49616751c228a9cd",
        "user_tags": "917f314782b1feab",
        "workspace_bootstraps": None,
        "workspace_files": None,
        "workspace_sessions": None,
    },
}
"""Digests of the tables, by file and table, of the program as it was when this was recorded."""


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 1, 8, tzinfo=UTC))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a known key: a new one is random, and proofs of erasure are made with it."""
    home = tmp_path / "home"
    (home / "keys").mkdir(parents=True, mode=0o700)
    (home / "keys" / "hmac.key").write_bytes(bytes(range(32)))
    return home


@pytest.fixture
def context(home: Path, clock: ManualClock, ids: Callable[[], str]) -> Iterator[Context]:
    settings = load(home=home, synchronous="NORMAL", consolidation_enabled=True)
    built = build_context(settings, clock=clock, ids=ids, monotonic=ManualSeconds())
    facts = replace(built.facts, judge=eager_judge("supersede"))
    yield replace(built, embedder=HashedEmbedder(), facts=facts)
    built.stores.close()


@pytest.fixture
def story(command: Command, context: Context, clock: ManualClock, tmp_path: Path) -> "Story":
    context.stores.group("main", create=True)
    ticker = Ticker(
        context.stores,
        GroupTracker(context.stores, context.runtime.monotonic),
        sorted(whole_table(context.decisions.roles), key=attrgetter("name")),
        lambda job: ROUTES[job].kind,
        rules(context),
        clock,
    )
    return Story(command, context, ticker, clock, tmp_path)


def test_one_story_is_stored_in_the_same_bytes(
    story: "Story", context: Context, clock: ManualClock
) -> None:
    # The owner says what they like, and imports what was traded and what it cost.
    story.owner_writes()
    clock.advance(minutes=1)
    story.owner_changes_their_mind()
    story.owner_imports_trades_and_prices()

    # An agent starts with what it is told, remembers, corrects itself and decides.
    story.agent_remembers_and_decides()

    # The workers do what is due; the judge is on trial in the shadow until the decisions are ripe.
    story.run("switch", "set", "classify_entry", "shadow", "--note", "on trial")
    story.days_pass(2)
    story.run("switch", "set", "classify_entry", "on")
    story.days_pass(1)
    story.run("role", "mark", "3", "wrong", "--note", "It was delisted.")
    story.run("role", "reflect")

    # Much later what was deleted is purged, a subject forgotten, and all spending stopped.
    clock.advance(days=40)
    story.days_pass(1)
    story.run("forget", "--subject", "USDC", "--apply", "--yes")
    story.agent_starts_again()
    story.money_is_spent_and_stopped()
    story.run("jobs", "pause", "extract_edges", "--note", "a look first")
    story.run("memory", "write", "observation", "This one waits for its edges")

    group = context.stores.group("main")
    assert {one.name: digests(one) for one in (context.stores.instance, group)} == STORED


@dataclass(frozen=True)
class Story:
    """What the persons and programs of the story do.

    Args:
        folder: where files for imports are made.
    """

    command: Command
    context: Context
    ticker: Ticker
    clock: ManualClock
    folder: Path

    def run(self, *line: str) -> str:
        answer = self.command(*line, env={"AFTERWORD_SYNCHRONOUS": "NORMAL"})
        assert answer.code == 0, answer.err
        return answer.out

    def owner_writes(self) -> None:
        by_hand = ("--source", "user_manual", "--tag", "majors")
        self.run("profile", "set", "risk_tolerance", "low")
        self.run("memory", "write", "personalization", "Trades BTC and ETH alone", *by_hand)
        self.run("memory", "write", "lesson", "Never chase a breakout", "--meta", '{"day": 3}')
        self.run("memory", "write", "observation", "The desk pays with 0x" + "52908400" * 5)
        self.run("memory", "write", "alert", "USDC left its peg for an hour")
        self.run("entry", "store", "instruction", "Ask before every order")
        self.run("entry", "store", "context", "Is away on Monday")

    def owner_changes_their_mind(self) -> None:
        self.run("profile", "set", "risk_tolerance", "moderate")
        self.run("memory", "edit", "1", "Trades BTC, ETH and SOL alone")
        self.run("memory", "delete", "5")
        self.run("memory", "restore", "5")
        self.run("memory", "delete", "6")
        derived = NewMemory(
            "reference", "A breakout failed on Sunday too", parents=(2,), origin="system"
        )
        store, ids = self.context.stores.group("main"), self.context.runtime.ids
        write_memory(Writer(store, self.clock, ids, "system"), derived)

    def owner_imports_trades_and_prices(self) -> None:
        page = self.folder / "page.json"
        (first, last) = json.loads(FILLS.read_text())
        gap = last | {"tid": 1003, "time": last["time"] + 60_000, "startPosition": "0.5"}
        page.write_text(json.dumps([first, last, gap]))
        self.run("history", "import", str(page), "--account", "desk")
        prices = self.folder / "SOLUSDT_1h.csv"
        factors = self.folder / "SOLUSDT_factor_file.csv"
        save_hours(prices, self.clock() - 300 * HOUR, jagged(250, [-0.05, *[0.0] * 49]))
        factors.write_text("20251201,1,0.25,11\n20501231,1,1,0")
        self.run("prices", "import", str(prices), "--factors", str(factors))

    def agent_remembers_and_decides(self) -> None:
        agent = self.next_session("monday")
        turn = agent.begin_turn("Show me ETH, but never on hourly charts")
        weekly = {"type": "preference", "content": "Wants weekly charts"}
        old = call(agent, "memory_store", weekly)
        daily = {"type": "preference", "content": "Wants daily charts"}
        call(agent, "memory_store", daily | {"supersedes": old["id"]})
        noon = call(agent, "memory_store", {"type": "context", "content": "Has a call at noon"})
        call(agent, "memory_delete", {"id": noon["id"]})
        for fact in ("Prefers weekly charts", "prefers weekly charts", "Prefers daily charts"):
            self.clock.advance(seconds=1)
            call(agent, "memory_write", {"category": "fact", "content": fact})
        for number, asset in enumerate(("SOL", "ETH", "AVAX")):
            call(agent, "role_record", decision(number, asset))
        calls = [ToolCall("quote", {"symbol": "ETH"})]
        agent.finish_turn(turn, "succeeded", reply="Here it is", tool_calls=calls)
        agent.end()

    def agent_starts_again(self) -> None:
        agent = self.next_session("tuesday")
        # One wrong decision teaches nothing; a person's note is told in the person's words.
        assert agent.role_prompt("market.spot").endswith("[note, wrong] AVAX: It was delisted.")
        assert "SOL" in call(agent, "memory_compiled_page", {"asset": "SOL"})

    def next_session(self, label: str) -> Agent:
        """Begin a session with what it is told at its start, which is frozen in the store."""
        store = self.context.stores.group("main")
        by = Writer(store, self.clock, self.context.runtime.ids, embeds=True)
        agent = Agent(
            Door(
                by,
                begin_session(by, label).handle,
                # A loaded machine must not leave the brief out.
                brief_limits=BriefLimits(timeout_s=600),
                roles=self.context.decisions.roles,
                search_options=SearchOptions(embedder=self.context.embedder),
            )
        )
        assert "Ask before every order" in agent.snapshot()
        assert agent.start_brief()
        return agent

    def money_is_spent_and_stopped(self) -> None:
        reserved = self.run("budget", "reserve", "learning", "0.05", "--json")
        self.run("budget", "settle", json.loads(reserved)["uid"], "--cost", "0.02")
        self.run("budget", "stop", "--note", "the end")

    def days_pass(self, days: int) -> None:
        """Let the schedule and the workers do each hour what is due; each day brings its prices."""
        for _ in range(days):
            for _ in range(24):
                self.ticker.step()
                work_off(self.context, self.context.stores.group("main"), self.clock)
                self.clock.advance(hours=1)
            prices = self.folder / "SOLUSDT_1h.csv"
            save_hours(prices, self.clock() - 24 * HOUR, [92.5] * 24)
            self.run("prices", "import", str(prices))


def decision(number: int, asset: str) -> dict[str, object]:
    return {
        "role": "market.spot.momentum",
        "decision": f"Buy {asset}, it broke out of its range",
        "asset": asset,
        "direction": "long",
        "confidence": 0.8,
        "inputs": {"rsi": 71},
        "context": {"prompt": f"{asset}?", "funding": "0.09 %"},
        "key": f"monday-{number}",
    }


def save_hours(path: Path, start: datetime, closes: list[float]) -> None:
    """Write hourly bars as an exchange's history has them."""
    first = round(start.timestamp()) * 1000
    rows = [
        f"{first + hour * 3_600_000},{px:.4f},{px:.4f},{px:.4f},{px:.4f},0"
        for hour, px in enumerate(closes)
    ]
    path.write_text("\n".join(["t_open_ms,open,high,low,close,volume", *rows, ""]))


def digests(store: Store) -> dict[str, str | None]:
    """Return a digest of every table of a file; none of one without rows."""
    query = "SELECT name FROM sqlite_schema WHERE type = 'table'" + "".join(
        f" AND name NOT LIKE '{pattern}'" for pattern in NOT_OURS
    )
    with reading(store) as conn:

        def digest(table: str) -> str | None:
            is_empty = conn.exec_driver_sql(f'SELECT 1 FROM "{table}"').first() is None
            return None if is_empty else content_hash(conn, table)[:DIGITS]

        return {table: digest(table) for table in conn.exec_driver_sql(query).scalars().all()}
