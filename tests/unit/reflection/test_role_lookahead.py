"""What is known after a decision never reaches its judge, but for the outcome itself.

Two installations live through the same hours; one of them learns more after the decision. What the
model is sent over HTTP, and what is kept of the outcome, must be the same to the byte.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.outcomes.evidence import FileSnapshots, PostHoc, Snapshot
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars, keep_splits
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.domain.reflection.llm_judge import LlmDecisionJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import PriceDelta, RefetchSource, RoleRegistry
from afterword.pipeline.gateway.budget import Budget
from afterword.pipeline.gateway.llm.build import build_metered
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.meter import level_caps
from afterword.pipeline.testing.model_server import ModelRequest, ModelServer
from afterword.pipeline.testing.roles import HOUR, ScriptedDecisionJudge, jagged, role_of, skill_of

DECIDED = datetime(2026, 3, 2, 12, tzinfo=UTC)
"""Hours below count from here."""

DUE, END = 24, 80
QUIET = 200
"""Hours of prices before the decision."""

CLOSES = [Decimal(f"{close:.6f}") for close in jagged(QUIET, [0.001] * (DUE - 1) + [-0.08])]
CALL, OLD_LESSON, PLANTED = "Buy on strength", "If it gaps, wait.", "planted"
"""`PLANTED` stands in every word that only one of the two installations learns."""

ROLE_ID = "desk.calls"
PRICED = {"llm_usd_per_million_input_tokens": 1.0, "llm_usd_per_million_output_tokens": 1.0}

What = Literal["revision", "bars", "source", "split", "decision", "lesson", "successor", "news"]


@dataclass(frozen=True)
class Later:
    """Something one of the two learns.

    Args:
        hour: when.
        number: which one of its sort.
    """

    hour: int
    what: What
    number: int


@dataclass(frozen=True)
class Judged:
    """What came of the decision: what the model was sent, and the outcome as it is kept."""

    sent: list[ModelRequest]
    measured: dict[str, Any]

    @property
    def told(self) -> list[dict[str, Any]]:
        """The material of the two questions."""
        return [json.loads(one.user.rpartition("\n\n")[2]) for one in self.sent]

    @property
    def known(self) -> list[dict[str, Any]]:
        """The same without what stands apart, as having come later."""
        return [
            {name: part for name, part in told.items() if name != "came_later"}
            for told in self.told
        ]


class Installation:
    """Everything real: store, prices, records of news, reflection, the SDK over HTTP."""

    def __init__(self, home: Path, symbol: str, learns: list[Later]) -> None:
        self.clock = ManualClock(DECIDED - 70 * HOUR)
        self.stores = Stores(home, StoreOptions("NORMAL"), self.clock, seeded_uids(1))
        self.store, self.ids = self.stores.group("main", create=True), seeded_uids(2)
        self.symbol, self.series, self.learns = symbol, Series("test", symbol, HOUR), learns
        records = {kind: FileSnapshots(kind, self.news(home, kind)) for kind in ("news", "onchain")}
        role = role_of(probe=PriceDelta(DUE))
        probes = (RefetchSource("get_price"), Snapshot("news"), Snapshot("onchain"))
        policy = replace(role.reflection_policy, post_hoc_probes=probes)
        role = replace(role, reflection_policy=policy)
        self.registry = RoleRegistry([skill_of(role)], post_hoc=PostHoc(snapshots=records))

    def live(self, server: ModelServer) -> Judged:
        """Live from before the decision to long after it was due, and judge it then."""
        self.old = self.record("Sold too late", decided_at=DECIDED - 71 * HOUR)
        self.learn(self.old, OLD_LESSON)
        self.at(0)
        self.keep_bars(1 - QUIET, 0)
        uid = self.record(CALL, context={"prompt": "what now"})
        for later in sorted(self.learns, key=lambda one: one.hour):
            if later.hour > DUE:
                break
            self.at(later.hour)
            self.meet(later)
        self.at(DUE)
        self.keep_bars(1, DUE)
        for later in sorted(self.learns, key=lambda one: one.hour):
            if later.hour > DUE:
                self.at(later.hour)
                self.meet(later)
        self.at(END)
        first = len(server.asked)
        self.reflect(server)
        sent = [one for one in server.asked[first:] if f'"decision": "{CALL}"' in one.user]
        found = show_decision(self.store, uid).decision
        assert found.verdict is not None
        assert found.lesson is not None
        return Judged(sent, dict(found.verdict.measured))

    def meet(self, later: Later) -> None:
        """Learn something now."""
        hour, number = later.hour, later.number
        match later.what:
            case "revision":  # of bars from before the decision, and while it was open
                for bar in (-number, 0, number % DUE):
                    if bar <= 0 or hour > DUE:
                        self.keep_bars(bar, bar, Decimal("1.01"))
            case "bars" if hour > DUE:
                self.keep_bars(DUE + 1, hour, Decimal(2 + number % 3))
            case "source":
                # Of what had not closed before: a bar counts from its close, whenever it came in.
                other, first = Series("another", self.symbol, HOUR / 4), 1 + DUE * (hour > DUE)
                late = bars(first, hour, HOUR / 4, Decimal(3))
                keep_bars(self.store, other, late, self.clock)
            case "split" if hour > DUE:
                split = Split(DECIDED + (DUE + 1 + number % 30) * HOUR, Fraction(2))
                keep_splits(self.store, "test", self.symbol, [split], self.clock)
            case "decision":
                # Its outcome is due after `DECIDED`; an earlier one belongs to the record of then.
                decided_at = self.clock() - number % (hour + DUE) * HOUR
                self.record(f"{PLANTED} {number}", context={PLANTED: 1}, decided_at=decided_at)
            case "lesson" if hour < DUE:
                uid = self.record(PLANTED, decided_at=DECIDED - (1 + number) * HOUR)
                self.learn(uid, f"{PLANTED} {number}")
            case "successor" if self.old:
                self.record(PLANTED, supersedes=self.old)
                self.old = ""

    def at(self, hour: int) -> None:
        """Let it be that hour."""
        self.clock.set(DECIDED + hour * HOUR)

    def record(self, text: str, **changes: Any) -> str:
        """Record a decision."""
        new = NewDecision(
            ROLE_ID, text, {"rsi": 71}, asset=self.symbol, direction="long", **changes
        )
        return record_decision(self.store, self.registry, new, self.clock, self.ids).uid

    def learn(self, uid: str, lesson: str) -> None:
        """Learn from a decision that a person marks as wrong."""
        mark_decision(self.store, self.registry, uid, "wrong", "It fell.", self.clock)
        judge = ScriptedDecisionJudge(
            lambda _: JudgeOpinion("logic_error", "It fell."), lambda _: lesson
        )
        reflect_role(Reflector(self.store, self.registry, judge, StoredPrices, self.clock), ROLE_ID)

    def keep_bars(self, first: int, last: int, times: Decimal = Decimal(1)) -> None:
        """Keep the bars that close from one hour to another."""
        keep_bars(self.store, self.series, bars(first, last, HOUR, times), self.clock)

    def news(self, home: Path, kind: str) -> Path:
        """Write the record of what could be known, and when."""
        told = [(-3, "calm"), (5, "a rumour")]
        told += [(one.hour, f"{PLANTED} {one.number}") for one in self.learns if one.what == "news"]
        lines = [
            {"known_at": iso(DECIDED + hour * HOUR), "asset": None, "text": text}
            for hour, text in told
        ]
        file = home.with_name(f"{home.name}.{kind}")
        file.write_text("\n".join(map(json.dumps, lines)))
        return file

    def reflect(self, server: ModelServer) -> None:
        """Ask the model about all that is ripe."""
        budget = Budget(self.stores.instance, level_caps(10**9, 10**9), self.clock, seeded_uids(3))
        settings = Settings(llm_provider="anthropic", llm_base_url=server.origin, **PRICED)
        llm = build_metered(settings, self.stores.instance, budget, self.clock)
        judge = LlmDecisionJudge(llm, at_once=1)
        reflect_role(Reflector(self.store, self.registry, judge, StoredPrices, self.clock), ROLE_ID)
        llm.close()


def bars(first: int, last: int, interval: timedelta, times: Decimal = Decimal(1)) -> list[Bar]:
    """Return the bars that close from one hour to another; after the outcome the price rests."""
    found = []
    for hour in range(first, last + 1):
        close = CLOSES[min(QUIET - 1 + hour, len(CLOSES) - 1)] * times
        opens_at = DECIDED + hour * HOUR - interval
        found.append(Bar(opens_at, interval, close, close, close, close, Decimal(0)))
    return found


def judged(server: ModelServer, symbol: str, learns: list[Later]) -> Judged:
    """Live through it in a folder of its own."""
    with TemporaryDirectory() as folder:
        one = Installation(Path(folder, "home"), symbol, learns)
        found = one.live(server)
        one.stores.close()
        return found


def honest(asked: ModelRequest) -> dict[str, Any]:
    """Answer both questions as they are asked."""
    if "lesson" in asked.schema["properties"]:
        return {"lesson": "If the day falls, wait."}
    return {"type": "logic_error", "narrative": "It stood against a fall it had seen."}


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(fills=honest) as server:
        yield server


@pytest.fixture(scope="module")
def plain(server) -> dict[str, Judged]:
    """What is judged where nothing more is learned: of a coin, and of a share that may split."""
    return {symbol: judged(server, symbol, []) for symbol in ("SOLUSDT", "TSLA")}


def test_the_plain_case_has_something_of_everything(plain):
    for symbol in plain:
        first, second = plain[symbol].told
        known = first["known_when_decided"]
        assert known["lessons"] == [OLD_LESSON]
        assert [one["source"] for one in known["sources"]] == ["get_price", "news", "onchain"]
        assert max(one["known_at"] for one in known["sources"]) <= iso(DECIDED)
        assert known["move_before"] is not None
        assert [one["text"] for one in first["came_later"] if one["source"] == "news"]
        assert first["outcome"]["change"].startswith("-0.0")
        assert second["known_when_decided"] == known


def whats(hours: st.SearchStrategy[int]) -> st.SearchStrategy[list[Later]]:
    """Return up to six things that are learned in some hours."""
    sorts = st.sampled_from(What.__args__)
    return st.lists(st.builds(Later, hours, sorts, st.integers(0, 60)), min_size=1, max_size=6)


@examples(max_examples=25)
@given(symbol=st.sampled_from(["SOLUSDT", "TSLA"]), learns=whats(st.integers(DUE + 1, END - 1)))
def test_what_is_learned_after_the_outcome_changes_no_byte(
    server: ModelServer, plain: dict[str, Judged], symbol: str, learns: list[Later]
) -> None:
    found = judged(server, symbol, learns)

    assert [one.body for one in found.sent] == [one.body for one in plain[symbol].sent]
    assert found.measured == plain[symbol].measured
    assert PLANTED not in str(found.told)


@examples(max_examples=25)
@given(symbol=st.sampled_from(["SOLUSDT", "TSLA"]), learns=whats(st.integers(1, DUE - 1)))
def test_what_is_learned_before_the_outcome_stands_apart_as_later(
    server: ModelServer, plain: dict[str, Judged], symbol: str, learns: list[Later]
) -> None:
    found = judged(server, symbol, learns)

    assert found.known == plain[symbol].known
    assert found.measured == plain[symbol].measured
    news = sum(one.what == "news" for one in learns)
    for told in found.told:
        later = [one["text"] for one in told["came_later"]]
        assert sum(PLANTED in text for text in later) == 2 * news
