"""What is kept from pass to pass is what a pass would read anew, whatever came in between."""

import random
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import StoreOptions, Stores, driver_cursor, reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.cases import vote_rows
from afterword.pipeline.domain.cases.rows import count_resolved
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.methodologies.score_rows import standings
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredOutcome
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.synthesis.judge import HeuristicSynthesisJudge
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.parts import Synthesis
from afterword.pipeline.domain.synthesis.reads import FreshReads, KeptReads
from afterword.pipeline.domain.synthesis.synthesize import synthesize
from afterword.pipeline.domain.synthesis.weigh import weigh_methods
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock
from tests.unit.synthesis.desk import REGISTRY, ROLE, Desk
from tests.unit.synthesis.test_stress import made_bars

HOUR = 3_600_000_000
METHODS = (
    ("a", "bullish", "intraday"),
    ("b", "bullish", "short"),
    ("c", "bearish", "intraday"),
    ("d", "bullish", "medium"),
)
ASSETS = ("BTC", "ETH", "BTC", "ETH", "SOL")  # the last one is of another class
WINDOWS = (24, 168, 720)
CHANGES = (
    "strict_since = {now}, promising_since = {now}",
    "strict_since = NULL, strict_from = {now}",
    "literal_since = NULL, literal_from = {now}",
    "strict_since = {before}",
)


class History:
    """A store to which things happen, by numbers that are drawn.

    Args:
        chance: decides what a test leaves open.
    """

    def __init__(self, folder, reads):
        self.clock = ManualClock()
        self.stores = Stores(
            Path(folder), StoreOptions(synchronous="OFF"), self.clock, seeded_uids(1)
        )
        self.store = self.stores.group("main", create=True)
        self.ids, self.reads = seeded_uids(2), reads
        self.desk = Desk(self.store, self.clock, self.ids)
        self.verdict = lambda _, number: ("right", "wrong", "right", "noise")[number % 4]
        self.made, self.waiting, self.later = [], [], ["later", "more"]
        for uid, direction, timeframe in METHODS:
            self.desk.method(uid, direction=direction, timeframe=timeframe)

    def decide(self, number, minutes=0, supersedes=None, methods=None):
        direction = ("long", "long", "short")[number % 3]
        cited = methods or [uid for place, (uid, *_) in enumerate(METHODS) if number >> place & 1]
        new = NewDecision(
            ROLE.id,
            f"RSI says {number % 5}.",
            asset=ASSETS[number % 5],
            direction=direction,
            methods=(*cited, *(["unheard-of"] if number % 11 == 0 else [])),
            decided_at=self.clock() - timedelta(minutes=minutes) if minutes else None,
            supersedes=supersedes,
        )
        done = record_decision(self.store, REGISTRY, new, self.clock, self.ids)
        self.made.append(done)
        at = to_micros(self.clock()) - minutes * 60_000_000
        self.waiting += [(done.id, new.asset, direction, hours, at) for hours in WINDOWS]

    def supersede(self, number, minutes):
        if self.made:
            replaced = self.made.pop(-1 - number % min(len(self.made), 5))
            self.clock.advance(minutes=minutes)
            self.decide(number, supersedes=replaced.uid)

    def measure(self, number, bars_before=0, is_early=False):
        """Measure a decision that waits, over one window, if it is due."""
        now = to_micros(self.clock())
        due = [one for one in self.waiting if is_early or one[4] + one[3] * HOUR <= now]
        if not due:
            return
        one = due[number % len(due)]
        self.waiting.remove(one)
        decision_id, asset, direction, hours, at = one
        entry = at // HOUR * HOUR - bars_before * HOUR
        verdict = self.verdict(decision_id, number)
        outcome = MeasuredOutcome(
            *("decision", decision_id, hours, RULE_VERSION, now, asset, "crypto", direction),
            *(verdict, verdict, "test", f"{asset}USDT", entry, "100"),
            *(entry + hours * HOUR + (number % 3 - 1) * HOUR, "105"),
            *(50_000_000, 30_000_000, 10_000_000, 1_000_000),
        )
        base = (None, 400_000_000, 600_000_000)[number % 3]
        with writing(self.store) as conn:
            outcome_rows.insert(conn, [outcome._replace(base_ppb=base)])

    def measure_all(self, number):
        for place in range(len(self.waiting)):
            self.measure(number + place)

    def change(self, number):
        now = to_micros(self.clock())
        change = CHANGES[number % len(CHANGES)].format(now=now, before=now - number * HOUR)
        with writing(self.store) as conn:
            conn.exec_driver_sql(
                f"UPDATE methodologies SET {change} WHERE id = {1 + number % len(METHODS)}"
            )

    def merge(self):
        now = to_micros(self.clock())
        with writing(self.store) as conn:
            conn.exec_driver_sql(
                "UPDATE methodologies SET merged_into = 1, merged_at = ? WHERE id = 2"
                " AND merged_at IS NULL",
                (now,),
            )

    def update(self):
        return self.reads.update_cases(self.store, self.clock())

    def check(self):
        """Compare what is kept with what is read anew."""
        with reading(self.store) as conn:
            assert list(self.reads.weigh(conn)) == weigh_methods(conn)
            assert list(self.reads.standings(conn)) == standings(conn)
            assert self.reads.resolved(conn) == count_resolved(conn)

    def hashes(self, *tables):
        with reading(self.store) as conn:
            return [content_hash(conn, table) for table in tables]


def happen(history, kind, number, size):
    """Let one thing happen."""
    match kind:
        case "decide":
            history.decide(number, minutes=(0, 0, 0, 4, 40, 60_000)[size % 6])
        case "decide early":
            history.decide(number, methods=["later"])
        case "supersede":
            history.supersede(number, minutes=1 + size % 40)
        case "measure":
            history.measure(number, bars_before=(0, 1, 9, -1)[size % 4], is_early=size == 0)
        case "measure all":
            history.measure_all(number)
        case "wait":
            history.clock.advance(hours=(1, 5, 24, 170, 900)[size % 5])
        case "change":
            history.change(number)
        case "merge":
            history.merge()
        case "method" if history.later:
            history.desk.method(history.later.pop())


KINDS = (
    *("decide",) * 5,
    *("check",) * 5,
    *("measure", "wait", "supersede") * 3,
    *("measure all", "change", "merge", "method", "decide early"),
)
happenings = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(1, 60), st.integers(0, 20)), max_size=50
)


@settings(max_examples=40)
@given(happenings)
def test_any_history_is_weighed_as_if_it_was_read_anew(found):
    with tempfile.TemporaryDirectory() as folder:
        history, twin = (
            History(folder + "/kept", KeptReads()),
            History(folder + "/new", FreshReads()),
        )
        tables = ("methodology_cases", "methodology_citations")
        for kind, number, size in [*found, ("check", 1, 1)]:
            if kind == "check":
                assert history.update() == twin.update()
                assert history.hashes(*tables) == twin.hashes(*tables)
                history.check()
            else:
                happen(history, kind, number, size)
                happen(twin, kind, number, size)
        history.stores.close()
        twin.stores.close()


@pytest.fixture
def history(tmp_path):
    history = History(tmp_path, KeptReads())
    yield history
    history.stores.close()


@pytest.fixture
def standing_of_cited(history):
    def read():
        with reading(history.store) as conn:
            found = driver_cursor(conn).execute(
                "SELECT standing FROM methodology_citations ORDER BY case_id, methodology_id"
            )
            return [standing for (standing,) in found]

    return read


def test_what_was_not_known_when_it_was_cited_makes_a_case_once_it_is(history, standing_of_cited):
    history.update()
    history.decide(1, methods=["later"])
    assert history.update().opened == 0
    history.clock.advance(hours=1)
    history.desk.method("later")

    assert history.update().opened == 1
    assert standing_of_cited() == ["before"]


def test_a_vote_that_is_taken_back_before_its_entry_is_forgotten_after_it_was_read(
    history, standing_of_cited
):
    history.decide(1, methods=["b"])
    history.update()
    history.check()
    history.supersede(1, minutes=5)
    history.update()
    assert standing_of_cited() == ["counts", "counts"]
    history.clock.advance(days=10)
    for _ in WINDOWS:
        history.measure(0, bars_before=-1)
    history.update()

    history.check()
    assert standing_of_cited() == ["withdrawn", "counts"]


def test_nothing_is_read_anew_while_votes_come_in_turn(history, monkeypatch):
    anew = []
    cited_by = vote_rows.cited_by
    monkeypatch.setattr(vote_rows, "cited_by", lambda *args: anew.append(args) or cited_by(*args))
    for number in range(40):
        history.decide(1, methods=["a"])
        history.decide(2, methods=["c"])
        history.clock.advance(hours=13, minutes=20)
        history.measure_all(number)
        history.update()
        history.check()

    assert len(anew) == 1


def passes_of(folder, seed, reads):
    """Run passes over a random year with stress in it; return what they left behind."""
    history, chance = History(folder, reads), random.Random(seed)
    begin = history.clock()
    bars = made_bars(200 * 24, seed=seed, swing=0.012, start=begin - timedelta(days=70))
    keep_bars(
        history.store,
        Series("test", "BTCUSDT", timedelta(hours=1)),
        bars,
        lambda: bars[-1].closed_at,
    )
    reports, rights = [], {}
    history.verdict = lambda decision_id, _: rights.get(decision_id, "noise")
    for number in range(400):
        # The first methodology works, and then no longer.
        skill = {"a": 0.95 if number < 200 else 0.1}
        for _ in range(chance.randint(0, 3)):
            uid = chance.choice("aabcd")
            history.decide(chance.choice((3, 6, 11)), methods=[uid])
            is_right = chance.random() < skill.get(uid, 0.5)
            rights[history.made[-1].id] = "right" if is_right else "wrong"
        if chance.random() < 0.05:
            history.supersede(chance.randint(1, 60), minutes=chance.randint(0, 9))
        history.clock.set(begin + timedelta(hours=6) * (number + 1))
        if chance.random() < 0.8:
            history.measure_all(chance.choice((0, 1, 2, 4)))
        if number % 150 == 100:
            history.desk.method(f"more {number}")
        seeds = "all" if number % 50 == 0 else "none"
        by = Synthesis(
            *(history.store, HeuristicSynthesisJudge(), GateRules(), history.clock, history.ids),
            reads=reads,
            seeds=seeds,
        )
        reports.append(synthesize(by, "cron").numbers)
    found = history.hashes(
        *("methodologies", "methodology_cases", "methodology_citations"),
        *("methodology_lifecycle_events", "methodology_cron_runs"),
    )
    kinds = {event[0] for event in history.desk.events()}
    history.stores.close()
    return reports, found, kinds


@pytest.mark.parametrize("seed", [1, 2])
def test_passes_that_keep_what_they_read_leave_what_fresh_ones_leave(tmp_path, seed):
    kept = passes_of(tmp_path / "kept", seed, KeptReads())
    fresh = passes_of(tmp_path / "fresh", seed, FreshReads())

    assert kept == fresh
    assert {"promising", "graduated", "reflection_adjusted", "market_stress_freeze"} <= kept[2]
    assert kept[2] & {"demoted", "synthesis_auto_demote"}
