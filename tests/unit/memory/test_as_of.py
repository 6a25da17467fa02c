"""Whatever happens later, a read as of a moment returns the bytes it returned then.

A read path is one line in `PATHS` or `COMMANDS`, and no field of its answer is left out; something
that can happen is one method of `World`.
"""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, is_dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.main import get_command

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import iso, to_micros
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import VENUE, Account
from afterword.pipeline.domain.balances import rows as balance_rows
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.capital import rows as capital_rows
from afterword.pipeline.domain.capital.model import CapitalPart
from afterword.pipeline.domain.capital.tiers import sum_of_parts
from afterword.pipeline.domain.cases.model import DESK_ROLE
from afterword.pipeline.domain.decisions.embed import DECISION_VECTORS
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.measure_outcomes import measure_due
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import extract_edges
from afterword.pipeline.domain.edges.read import neighbourhood, top_entities
from afterword.pipeline.domain.exports.kept import keep_mapping
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.facts.consolidate import consolidate_pending
from afterword.pipeline.domain.facts.read import list_events, standing_facts
from afterword.pipeline.domain.facts.record import record_fact
from afterword.pipeline.domain.facts.undo import undo_event
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.institution.notes import note_run
from afterword.pipeline.domain.institution.reflect import reflect_runs
from afterword.pipeline.domain.learnings.delete import delete_learning
from afterword.pipeline.domain.learnings.model import LearningRules
from afterword.pipeline.domain.learnings.review import TurnReviewing, review_turn
from afterword.pipeline.domain.memory.delete import restore_memory, retire
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.user_profile import set_profile_value
from afterword.pipeline.domain.memory.write import insert_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.methodologies.lifecycle import StateChange, apply_changes
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.methodologies.score_rows import standings
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.domain.preferences.change import (
    approve_preference,
    propose_preference,
    reject_preference,
)
from afterword.pipeline.domain.preferences.mine import mine_preferences
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.profile.declare import clear_tag, upsert_tag
from afterword.pipeline.domain.profile.financial_profile import set_custom_prompt, set_flags
from afterword.pipeline.domain.profile.onboarding import complete_onboarding
from afterword.pipeline.domain.rebuilds.kinds import rebuild_of_job
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.rebuild import run_rebuild
from afterword.pipeline.domain.rebuilds.refresh import refresh_profile
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.sessions.model import ToolCall
from afterword.pipeline.domain.sessions.sessions import begin_session, in_session
from afterword.pipeline.domain.sessions.turns import begin_turn, finish_turn
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.builtin import BUILTIN
from afterword.pipeline.domain.sync.keep_spot import keep_spot
from afterword.pipeline.domain.synthesis.judge import HeuristicSynthesisJudge
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.synthesize import synthesize
from afterword.pipeline.domain.trades.note import remove_note, write_note
from afterword.pipeline.domain.trades.tag import tag_trip, untag_trip
from afterword.pipeline.domain.transfers import rows as transfer_rows
from afterword.pipeline.domain.transfers.model import LedgerTransfer
from afterword.pipeline.domain.trips.read import trips
from afterword.pipeline.domain.vectors import rows as vector_rows
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.cli.root import app
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.operations.roles.hypotheses import list_hypotheses
from afterword.pipeline.operations.roles.summary import summarise_roles
from afterword.pipeline.recall.page.compile import Pages
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.recall.prompts.brief import BriefLimits, read_brief
from afterword.pipeline.recall.prompts.snapshot import read_snapshot
from afterword.pipeline.recall.search.model import Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.recall.search.vectors import VectorIndex
from afterword.pipeline.recall.search.why import why
from afterword.pipeline.recall.workspace.start import start_workspace
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.roles import saying
from afterword.pipeline.testing.spot import wallet_swap

REGISTRY: Final = RoleRegistry(BUILTIN)
HOUR: Final = timedelta(hours=1)
SMALL: Final = BriefLimits(max_entries=5, max_chars=600)

ROLE: Final = "market.spot.momentum"
MOMENTUM: Final = REGISTRY.role(ROLE)

PATHS: Final[dict[str, Callable[["World", datetime], object]]] = {
    "agent reads": lambda world, at: world.agent.memory_read(limit=100, as_of=at),
    "agent searches": lambda world, at: world.agent.memory_search("BTC 90000 held", as_of=at),
    "agent searches the superseded": lambda world, at: world.agent.memory_search(
        "BTC vote", include_superseded=True, as_of=at
    ),
    "agent searches, newest": lambda world, at: world.agent.memory_search("", as_of=at),
    "agent's brief": lambda world, at: world.agent.memory_brief(True, as_of=at),
    "agent's profile": lambda world, at: world.agent.profile_read(as_of=at),
    "agent's capital": lambda world, at: world.agent.capital(as_of=at),
    "agent's strategies": lambda world, at: world.agent.strategies(as_of=at),
    "agent's portrait": lambda world, at: world.agent.personalization_snapshot(as_of=at),
    "agent's onboarding": lambda world, at: world.agent.onboarding_status(as_of=at),
    "agent recalls": lambda world, at: world.agent.role_recall(ROLE, as_of=at),
    "agent recalls for a question": lambda world, at: world.agent.role_recall(
        ROLE, "long BTC again?", as_of=at
    ),
    "agent's lessons in a prompt": lambda world, at: world.agent.role_prompt(
        "market.spot", as_of=at
    ),
    "snapshot": lambda world, at: read_snapshot(world.store, at),
    "brief": lambda world, at: read_brief(
        world.store, world.clock, SMALL, include_provenance=True, as_of=at
    ),
    "page": lambda world, at: world.pages.page("BTC", as_of=at),
    "page of a market": lambda world, at: world.pages.page("SOL", as_of=at),
    "read": lambda world, at: read_memories(world.store, limit=100, as_of=at),
    "search by meaning": lambda world, at: search(
        world.store,
        "BTC 90000 held",
        options=SearchOptions(explain=True, embedder=world.embedder, index=world.index),
        as_of=at,
    ),
    "why": lambda world, at: _why(world, at),
    "neighbourhood": lambda world, at: neighbourhood(world.store, "ticker", "BTC", as_of=at),
    "top entities": lambda world, at: top_entities(world.store, as_of=at),
    "facts": lambda world, at: standing_facts(world.store, as_of=at),
    "decisions": lambda world, at: list_decisions(world.store, as_of=at),
    "results of roles": lambda world, at: summarise_roles(world.store, [(MOMENTUM, {})], 0.05, at),
    "patterns": lambda world, at: list_hypotheses(world.store, [MOMENTUM], 0.05, at),
    "decisions that wait": lambda world, at: list_decisions(world.store, state="pending", as_of=at),
}
"""Every way to read the past from Python; all of an answer counts."""

FIRST_TRIP: Final = hashlib.sha256(b"me\nBTC\nlong\ntid:10").hexdigest()[:32]
"""The trip that `World.trade` makes first, of an odd number."""

COMMANDS: Final = (
    ("memory", "read", "--limit", "100"),
    ("memory", "search", "BTC 90000 held", "--explain"),
    ("memory", "search", "BTC vote", "--include-superseded"),
    ("memory", "why", "1", "--query", "BTC"),
    ("entry", "ls", "--include-superseded"),
    ("entry", "search", "BTC"),
    ("entry", "brief"),
    ("fact", "ls"),
    ("profile", "ls"),
    ("profile", "show"),
    ("profile", "portrait"),
    ("profile", "portrait", "--message", "how often do I trade, and in which markets?"),
    ("profile", "tags", "ls"),
    ("profile", "prompt", "get"),
    ("preference", "ls"),
    ("preference", "show", "max_leverage"),
    ("snapshot",),
    ("brief",),
    ("page", "BTC"),
    ("edges", "of", "BTC"),
    ("edges", "top"),
    ("role", "list", ROLE),
    ("role", "list", "--state", "pending"),
    ("role", "recall", ROLE),
    ("role", "recall", "market.spot", "--prompt"),
    ("role", "summary", ROLE),
    ("role", "pattern", "ls", "--all"),
    ("role", "pattern", "show", ROLE, "crypto", "long", "up"),
    ("methodology", "ls"),
    ("methodology", "show", "1"),
    ("methodology", "suggest", "BTC"),
    ("institution", "run", "ls"),
    ("institution", "run", "show", "run1"),
    ("institution", "retrospect", "BTC"),
    ("learning", "ls"),
    ("learning", "show", "1"),
    ("learning", "suggest", "open a long on hyperliquid with take profit"),
    ("learning", "reviews"),
    ("account", "ls"),
    ("capital", "show"),
    ("strategy", "ls"),
    ("strategy", "show", "grid"),
    ("history", "mappings", "ls"),
    ("history", "spot"),
    ("history", "reconcile"),
    ("learn",),
    ("trades", "ls"),
    ("trades", "show", FIRST_TRIP),
    ("trades", "stats"),
    ("trades", "profile", "--days", "3660"),
    ("trades", "search", "SOL"),
    ("workspace", "show"),
    ("workspace", "show", "soul"),
    ("workspace", "diff"),
)
"""Every command that takes `--as-of`."""

SENTENCES: Final = (
    ("preference", "Never hold more than 5 % in BTC"),
    ("instruction", "Check the calendar before buying SOL"),
    ("fact", "BTC is held on a hardware wallet"),
    ("observation", "Sold half of the SOL position into the BTC vote"),
    ("trade_outcome", "Closed the BTC long for a loss"),
    ("lesson", "SOL breakouts fail while BTC falls"),
    ("alert", "BTC crossed 90000"),
)
TYPED: Final = {"preference", "instruction", "fact"}


class World:
    """A store, and what can happen to it; each happening takes some time.

    Each is told which row it is about by a number that is taken from those there are, and does
    nothing where no row fits.
    """

    def __init__(self, home: Path) -> None:
        self.clock, self.ids = ManualClock(), seeded_uids(1)
        self.stores = Stores(home, StoreOptions(synchronous="NORMAL"), self.clock, self.ids)
        self.store: Store = self.stores.group("main", create=True)
        self.pages = Pages(self.store, self.clock, sections_of(AREAS))
        self.embedder, self.index = HashedEmbedder(16), VectorIndex()
        self.writer = Writer(self.store, self.clock, self.ids)
        self.owner = replace(self.writer, actor="owner")
        self.system = replace(self.writer, actor="system")
        handle = begin_session(self.writer).handle
        self.agent = Agent(Door(self.writer, handle, roles=REGISTRY, institution_enabled=True))
        self.command = Command(home, self.clock, self.ids)
        self.trips = 0

    def happen(self, name: str, number: int) -> None:
        """Let something happen a second later."""
        self.clock.advance(seconds=1)
        getattr(self, name)(number)

    def write(self, number: int) -> None:
        self._insert(number, ())

    def add_method(self, number: int) -> None:
        """Add a methodology, now and then one that says the same as another."""
        text = f"Buy BTC when its RSI is below {20 + number % 3}"
        new = NewMethodology(text, "major_crypto", "bullish", ("intraday", "short")[number % 2])
        add_methodology(self.writer, new)

    def learn(self, number: int) -> None:
        """Go through a turn that is shown learnings and may teach one; delete one now and then."""
        side, tools = ("long", "short")[number % 2], ("get_price", "place_order", "set_tp_sl")
        turn = self.agent.begin_turn(f"Open a {side} on hyperliquid with take profit")
        self.agent.turn_learnings(turn)
        self.clock.advance(seconds=1)
        used = [ToolCall(name) for name in tools[: 1 + number % 4]]
        outcome = "failed" if number % 5 == 4 else "succeeded"
        self.agent.finish_turn(turn, outcome, tool_calls=used)
        rules = LearningRules(min_calls=2, score_threshold=5)
        with reading(self.store) as conn:
            last = conn.exec_driver_sql("SELECT max(id) FROM turns").scalar_one()
        review_turn(TurnReviewing(self.store, rules, self.clock, self.ids), last)
        if number % 7 == 6:
            with suppress(NotFoundError, ConflictError):
                delete_learning(self.owner, 1)

    def synthesize(self, _number: int) -> None:
        synthesize(
            Synthesis(self.store, HeuristicSynthesisJudge(), GateRules(), self.clock, self.ids),
            "command",
        )

    def graduate(self, number: int) -> None:
        """Let a method into prompts, or out of them again."""
        with writing(self.store) as conn:
            found = standings(conn)
            for one in found[number % len(found) :][:1] if found else []:
                change = "graduated" if one.strict_since is None else "demoted"
                new = StateChange(one.id, change, "strict", "said so")
                apply_changes(conn, [new], "strict", self.clock())

    def derive(self, number: int) -> None:
        self._insert(number, self._some(number, "superseded_at IS NULL AND deleted_at IS NULL")[:2])

    def replace(self, number: int) -> None:
        standing = "superseded_at IS NULL AND deleted_at IS NULL"
        for old in self._some(number, standing)[:1]:
            new = self._insert(number + 1, ())
            with writing(self.store) as conn:
                supersede(conn, self.system, old, new, self.clock())

    def delete(self, number: int) -> None:
        for row in self._some(number, "deleted_at IS NULL")[:1]:
            with writing(self.store) as conn:
                retire(conn, self.system, row, self.clock(), {})

    def restore(self, number: int) -> None:
        for row in self._some(number, "deleted_at IS NOT NULL")[:1]:
            restore_memory(self.owner, row)

    def set_profile(self, number: int) -> None:
        set_profile_value(self.writer, f"key{number % 3}", f"value{number}")

    def declare(self, number: int) -> None:
        """Answer a question, clear a tag, or let the program conclude one."""
        risk = ("conservative", "balanced", "aggressive")[number % 3]
        if number % 4 == 0:
            upsert_tag(self.system, "risk", risk, "inferred")
        elif number % 5 == 0:
            with suppress(NotFoundError):
                clear_tag(self.owner, "risk")
        else:
            pace = ("passive", "weekly", "daily")[number % 3]
            answers = {"risk": risk, "frequency": pace, "capital": f"${number}k"}
            complete_onboarding(self.owner, answers)
            self._extract()

    def say_who_i_am(self, number: int) -> None:
        """Set the custom prompt, now and then one that is flagged, or hide a part."""
        if number % 3 == 0:
            set_flags(self.owner, include_tags=number % 2 == 0)
        else:
            order = "Ignore the risk limit" if number % 2 else "Be brief"
            set_custom_prompt(self.owner, f"{order}, said {number} times")

    def prefer(self, number: int) -> None:
        """Propose a limit, approve or reject it, or learn from trades and chat."""
        if number % 3 == 0:
            mine_preferences(self.system)
            return
        limit = propose_preference(self.owner, "max_leverage", "hard_constraint", "3")
        (approve_preference if number % 2 else reject_preference)(self.owner, limit.uid)

    def chat(self, number: int) -> None:
        """Say something of oneself to an agent, and let the rebuild read it."""
        by = in_session(self.writer, begin_session(self.writer).handle)
        words = (f"My maximum leverage is {number}x.", "I prefer limit orders.", "I use a Ledger.")
        turn = begin_turn(by, words[number % 3])
        finish_turn(by, turn.uid, "succeeded")
        parts = RebuildParts(self.system, Settings(), None, lambda _task: Mode.OFF)
        run_rebuild(parts, rebuild_of_job("rebuild_memories"), is_forced=True)
        self._extract()

    def rebuild(self, _number: int) -> None:
        """Write the trading summary again, and conclude tags."""
        parts = RebuildParts(self.system, Settings(), None, lambda _task: Mode.ON)
        refresh_profile(parts, all_of_them=True)

    def run_desk(self, number: int) -> None:
        """Capture a run, answer ladders, and now and then say or tell something of a run."""
        with reading(self.store) as conn:
            cited = conn.exec_driver_sql("SELECT uid FROM methodologies LIMIT 2").scalars().all()
        decision = {"direction": "long", "confidence": 0.6, "horizon_days": 7}
        decision |= {"trigger": f"{number}", "base_case": "Up", "thesis": "Scarce"}
        output = {"role": "pm", "form": "portfolio_decision", "output": decision}
        decision["methods"] = list(cited)
        with suppress(InvalidInputError):
            self.agent.institution_capture(f"run{number % 3}", "BTC", [output])
        reflect_runs(self.store, self.clock, Mode.ON)
        if number % 3 == 0:
            self.agent.institution_retrospect("BTC")
        if number % 4 == 0:
            with suppress(NotFoundError):
                note_run(self.owner, "run1", f"words {number}")

    def trade(self, number: int) -> None:
        """Import a round trip that lies in the past, or a part of one that makes a late page."""
        self.trips += 1
        start, tid = 1_700_000_000_000 + number * 3_600_000, 10 * self.trips
        row = {"coin": ("SOL", "BTC")[number % 2], "px": "100.0", "sz": "1.0", "dir": "x"}
        row |= {"hash": "0x0", "oid": 1, "crossed": True, "fee": "0.1", "feeToken": "USDC"}
        sides = [("B", "0.0", "0.0"), ("A", "1.0", "5.0")]
        fills = [
            row | {"side": side, "startPosition": held, "closedPnl": pnl}
            | {"time": start + 60_000 * place, "tid": tid + place}
            for place, (side, held, pnl) in enumerate(sides)
        ]  # fmt: skip
        page = fills[1:] if number % 5 == 0 else fills
        import_fills(self.store, parse_fills(page, "me", "fills"), self.clock, self.ids)
        self._extract()

    def tag(self, number: int) -> None:
        """Tag a trip, or take the tag from it again."""
        with reading(self.store) as conn:
            found = trips(conn)
        for trip in found[number % len(found) :][:1] if found else []:
            try:
                tag_trip(self.store, trip.trip_uid, f"setup{number % 2}", self.clock)
            except ConflictError:
                untag_trip(self.store, trip.trip_uid, f"setup{number % 2}", self.clock)

    def note(self, number: int) -> None:
        """Write the note of a trip anew, or take it away."""
        with reading(self.store) as conn:
            found = trips(conn)
        for trip in found[number % len(found) :][:1] if found else []:
            if number % 3:
                write_note(self.owner, trip.trip_uid, f"too early by {number}")
                continue
            with suppress(NotFoundError):
                remove_note(self.owner, trip.trip_uid)

    def keep_mapping(self, number: int) -> None:
        """Keep the mapping of a file with a header of its own, under one of two names."""
        path = self.stores.home / "trades.csv"
        path.write_text(f"When{number},Pair,Amount,Price\n2026-01-05 10:00,BTC/USDT,1,2\n")
        mapping = ColumnMapping.parse(f"time=When{number},symbol=Pair,qty=Amount,price=Price")
        with writing(self.store) as conn:
            name = f"broker{number % 2}"
            keep_mapping(conn, open_document(path), mapping, self.clock(), name=name)

    def name_account(self, number: int) -> None:
        """Add an account, pause it, and remove it again."""
        name, now = f"account{number % 3}", self.clock()
        with writing(self.store) as conn:
            known = account_rows.named(conn, name)
            if known is None:
                address = f"0x{number:040x}"
                account_rows.insert(
                    conn, Account(name, "hyperliquid", address, "own", "user", None, now)
                )
            elif known.paused_at is None:
                account_rows.pause(conn, name, to_micros(now))
            else:
                account_rows.remove(conn, name, to_micros(now))

    def swap(self, number: int) -> None:
        """Import a swap of a wallet, and price those before it if prices became known."""
        at = self.clock() - number % 90 * HOUR
        gave, got = ("1 WBTC", "9 3Crv") if number % 2 else ("5 DAI", "1 WETH")
        swapped = wallet_swap(gave, got, at, number=number, account=f"wallet{number % 2}")
        keep_spot(self.store, [[(swapped, 0)]], self.clock)

    def mirror(self, number: int) -> None:
        """Mirror a deposit of every account, and what it is worth, covered by rows or not."""
        now = to_micros(self.clock())
        at_ms = now // 1_000
        none = (Decimal(0), None, None, None)
        deposit = LedgerTransfer(at_ms - 1, "deposit", "0x0", Decimal(number), *none, "{}")
        value = AccountValue(at_ms, Decimal(number), Decimal(0), Decimal(0), False, {}, {})
        with writing(self.store) as conn:
            for account in account_rows.listed(conn):
                named, wallet = (account.name, account.venue), account.address
                transfer_rows.insert(conn, *named, [deposit], now, wallet)
                balance_rows.insert(conn, *named, value, now, now, wallet)
                if number % 4:
                    balance_rows.cover(conn, account.name, now, 0, now)

    def compute_capital(self, number: int) -> None:
        """Add up what the accounts are told to hold, if there are any."""
        with writing(self.store) as conn:
            names = [account.name for account in account_rows.own(conn, VENUE).values()]
            parts = [CapitalPart(name, "spot", number, self.clock()) for name in names]
            if parts:
                capital_rows.insert(conn, sum_of_parts(parts, self.clock()))

    def run_strategy(self, number: int) -> None:
        """Start a strategy whose trades are kept, or stop it again."""
        try:
            self.agent.strategy_stop("grid")
        except NotFoundError:
            # Until its first trade there is no account of this name.
            with suppress(InvalidInputError):
                self.agent.strategy_start("grid", ["BTC"], 100 + number, account="me")

    def read_workspace(self, number: int) -> None:
        """Begin a session with a workspace that was edited since the last one."""
        folder = self.stores.home / "workspace"
        folder.mkdir(exist_ok=True)
        (folder / "SOUL.md").write_text(f"You are the agent number {number % 3}.")
        source = WorkspaceSource(folder, is_ours=True)
        start_workspace(self.store, begin_session(self.writer).handle, source, self.clock)

    def record(self, number: int) -> None:
        """Record a fact, now and then one that was recorded before."""
        new = NewMemory("reference", f"The BTC wallet holds {number % 4} coins")
        record_fact(self.store, new, self.clock, self.ids)
        self._extract()

    def consolidate(self, _number: int) -> None:
        consolidate_pending(self.store, self.clock)

    def undo(self, _number: int) -> None:
        for event in list_events(self.store, "retired"):
            if not event.undone:
                undo_event(self.store, event.id, self.clock)
                return

    def decide(self, number: int) -> None:
        new = NewDecision(
            ROLE, f"BTC call {number}", {}, "BTC", ("long", "short")[number % 2],
            decided_at=self.clock() - timedelta(hours=100),
        )  # fmt: skip
        record_decision(self.store, REGISTRY, new, self.clock, self.ids)

    def mark(self, number: int) -> None:
        waits = [one for one in list_decisions(self.store) if one.state in ("pending", "parked")]
        waits = [one for one in waits if one.role_id != DESK_ROLE]  # no skill declares it
        for one in [one for one in waits if one.mark is None and one.verdict is None][:1]:
            mark_decision(
                self.store, REGISTRY, one.id, ("wrong", "right")[number % 2], "seen", self.clock
            )

    def measure(self, _number: int) -> None:
        """Learn the prices of the last weeks, and measure what is due by them."""
        closes_at = self.clock().replace(minute=0, second=0, microsecond=0) - 400 * HOUR
        bars = []
        for hour in range(400):
            close = Decimal(100 + 7 * hour % 37)
            bars.append(Bar(closes_at + hour * HOUR, HOUR, close, close, close, close, Decimal(1)))
        keep_bars(self.store, Series("test", "BTCUSDT", HOUR), bars, self.clock)
        measure_due(self.store, REGISTRY, StoredPrices, self.clock, lambda *_: None)
        weigh_patterns(self.store, REGISTRY, self.clock())

    def reflect(self, _number: int) -> None:
        """What is marked is judged; the rest is parked, for there are no prices, or is too old."""
        reflector = Reflector(self.store, REGISTRY, saying("logic_error"), StoredPrices, self.clock)
        reflect_role(reflector, ROLE)

    def let_days_pass(self, number: int) -> None:
        self.clock.advance(days=number % 9)

    def embed_decisions(self, _number: int) -> None:
        with writing(self.store) as conn:
            model_id = vector_rows.keep_model(conn, self.embedder, self.clock())
            ids = list(conn.exec_driver_sql("SELECT id FROM role_memory").scalars())
            for one in vector_rows.unembedded(conn, ids, model_id, DECISION_VECTORS):
                vector = self.embedder.vector(one.content)
                vector_rows.keep_vector(conn, one, model_id, vector, DECISION_VECTORS)

    def _insert(self, number: int, parents: tuple[int, ...]) -> int:
        category, content = SENTENCES[number % len(SENTENCES)]
        is_typed = category == "fact" or (category in TYPED and number % 2 == 0)
        new = NewMemory(
            category,
            f"{content}, said {number} times",
            type=category if is_typed else None,
            origin=("agent", "web", "tool")[number % 3],
            parents=parents,
        )
        with writing(self.store) as conn:
            (written,) = insert_memories(conn, self.system, [new], self.clock())
        self._extract()
        return written.id

    def _extract(self) -> None:
        """Do the jobs of a write for every row that has no edges."""
        with writing(self.store) as conn:
            rows = conn.exec_driver_sql(
                "SELECT id, content FROM memories WHERE id NOT IN "
                "(SELECT src_id FROM memory_edges WHERE src_table = 'memories')"
            ).all()
            found = [(row.id, extract_edges(row.content, None)) for row in rows]
            edge_rows.keep(conn, found, to_micros(self.clock()))
            model_id = vector_rows.keep_model(conn, self.embedder, self.clock())
            ids = [row.id for row in rows]
            for one in vector_rows.unembedded(conn, ids, model_id):
                vector_rows.keep_vector(conn, one, model_id, self.embedder.vector(one.content))

    def _some(self, number: int, which: str) -> tuple[int, ...]:
        """Return the ids of the rows that fit, beginning with one that the number chooses."""
        with reading(self.store) as conn:
            query = f"SELECT id FROM memories WHERE {which} ORDER BY id"
            found = list(conn.exec_driver_sql(query).scalars())
        start = number % len(found) if found else 0
        return tuple(found[start:] + found[:start])


CHANGES: Final = (
    *("write", "derive", "replace", "delete", "restore", "set_profile", "trade"),
    *("record", "consolidate", "undo", "decide", "mark", "reflect"),
    *("measure", "add_method", "graduate", "synthesize"),
)
"""What changes an answer of the present."""

HAPPENINGS: Final = (
    *CHANGES,
    "let_days_pass",
    "embed_decisions",
    "tag",
    "note",
    "keep_mapping",
    "name_account",
    "swap",
    "mirror",
    "compute_capital",
    "run_strategy",
    "read_workspace",
    "declare",
    "prefer",
    "say_who_i_am",
    "chat",
    "rebuild",
    "run_desk",
    "learn",
)
STORY: Final = st.lists(st.tuples(st.sampled_from(HAPPENINGS), st.integers(0, 30)), max_size=12)


@contextmanager
def a_world() -> Iterator[World]:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder) / "home")
        yield world
        world.stores.close()


def _why(world: World, at: datetime) -> object:
    try:
        return why(world.store, 1, "BTC", as_of=at)
    except NotFoundError as error:
        return str(error)


def said(world: World, at: datetime) -> dict[str, str]:
    """Return what Python answers as of a moment, each answer as the bytes of its JSON."""
    return {name: _json(ask(world, at)) for name, ask in PATHS.items()}


def printed(world: World, at: datetime) -> dict[str, str]:
    """Return what the command line prints as of a moment."""
    asked = {line: world.command(*line, "--as-of", iso(at), "--json") for line in COMMANDS}
    return {" ".join(line): answer.out or answer.err for line, answer in asked.items()}


def taking_a_moment(command: Any, *words: str) -> set[tuple[str, ...]]:
    """Return the words of every command that takes `--as-of`."""
    if not hasattr(command, "list_commands"):
        return {words} if any("--as-of" in option.opts for option in command.params) else set()
    parts = (
        taking_a_moment(command.get_command(None, name), *words, name)
        for name in command.list_commands(None)
    )
    return set().union(*parts)


def _json(answer: object) -> str:
    return json.dumps(answer, default=lambda one: asdict(one) if is_dataclass(one) else str(one))


@settings(max_examples=40)
@given(before=STORY, after=STORY)
def test_every_read_of_a_moment_returns_the_same_bytes_whatever_comes_later(before, after):
    with a_world() as world:
        for name, number in before:
            world.happen(name, number)
        moment = world.clock()
        then = said(world, moment)
        for name, number in after:
            world.happen(name, number)

        assert said(world, moment) == then


@settings(max_examples=8)
@given(before=STORY, after=STORY)
def test_every_command_prints_the_same_bytes_of_a_moment_whatever_comes_later(before, after):
    with a_world() as world:
        for name, number in before:
            world.happen(name, number)
        moment = world.clock()
        then = printed(world, moment)
        for name, number in after:
            world.happen(name, number)

        assert printed(world, moment) == then


def test_each_command_that_takes_a_moment_is_among_those_that_are_held_to_it():
    takes = taking_a_moment(get_command(app))

    assert {
        words for words in takes if not any(line[: len(words)] == words for line in COMMANDS)
    } == set()
    assert len(takes) > 10


def test_a_fact_that_came_back_still_reads_as_superseded_in_between():
    with a_world() as world:
        for name in ("record", "record", "consolidate"):
            world.happen(name, 1)
        moment = world.clock()
        world.happen("undo", 0)
        found = search(world.store, "BTC", Scope(include_superseded=True), as_of=moment)

        assert sorted(hit.memory.superseded_at is not None for hit in found) == [False, True]


@settings(max_examples=20)
@given(STORY)
def test_the_present_reads_as_its_moment_will(story):
    with a_world() as world:
        for name, number in story:
            world.happen(name, number)
        now = world.clock()

        assert read_snapshot(world.store) == read_snapshot(world.store, now)
        assert world.pages.page("BTC") == world.pages.page("BTC", as_of=now)
        assert read_brief(world.store, world.clock, SMALL) == read_brief(
            world.store, world.clock, SMALL, as_of=now
        )


@pytest.mark.parametrize("name", CHANGES)
def test_everything_that_can_happen_changes_what_is_read(name):
    """A property over happenings that do nothing would prove nothing."""
    with a_world() as world:
        for number in range(14):
            world.happen("write", number)
        for start in ("delete", "set_profile", "record", "record", "consolidate", "decide"):
            world.happen(start, 1)
        for start, number in (("decide", 2), ("mark", 0), ("record", 1)):
            world.happen(start, number)
        before = said(world, world.clock())
        world.happen(name, 7)

        assert said(world, world.clock()) != before


def everything(world: World, numbers: range) -> None:
    """Let each thing happen for each number, a decision measured among them."""
    for number in numbers:
        for name in HAPPENINGS:
            world.happen(name, number)


def test_a_full_story_changes_every_read_and_command_but_none_of_a_moment():
    """Each read is shown something later that it would tell, so ignoring the moment is seen."""
    with a_world() as world:
        everything(world, range(1, 4))
        moment = world.clock()
        then = said(world, moment) | printed(world, moment)
        everything(world, range(4, 9))
        world.happen("decide", 9)  # one that still waits
        now = world.clock()

        assert said(world, moment) | printed(world, moment) == then
        later = said(world, now) | printed(world, now)
        assert {name for name, answer in later.items() if answer == then[name]} == set()
