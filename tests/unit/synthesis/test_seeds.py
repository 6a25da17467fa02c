"""Methodologies made from clusters of cases and from patterns: what makes one, and what not."""

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.methodologies.delete import delete_methodology
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.methodologies.read import list_methodologies
from afterword.pipeline.domain.synthesis.seeds import nearest_timeframe
from tests.unit.patterns.record import Desk as RoleDesk

WORDS = "RSI is oversold and the funding rate is negative."
GOOD = [True] * 13 + [False] * 2


@pytest.fixture
def seeds(desk):
    """Run a pass, and return the methodologies that the program wrote itself."""

    def run(source="cases"):
        desk.synthesize()
        with reading(desk.store) as conn:
            return list_methodologies(conn, source=source)

    return run


@pytest.fixture
def cited(desk):
    """Decide by a method that watches nothing that the decisions name."""
    desk.method("dip")

    def run(hits, text=WORDS, **options):
        return desk.decide(["dip"], hits, text=text, **options)

    return run


def test_decisions_that_share_indicators_and_were_right_become_a_method(seeds, cited):
    made = cited(GOOD)

    (seed,) = seeds()

    assert (seed.asset_class, seed.direction, seed.timeframe) == (
        *("major_crypto", "bullish"),
        "intraday",
    )
    assert seed.indicators == ("funding_rate", "rsi")
    assert seed.methodology == (
        "Go long for a day in an asset of class major_crypto"
        " when funding rate and rsi speak for it."
    )
    assert "right 13 of 15 stretches, 7.5 without skill" in seed.evidence
    assert seed.seeded_from[0] == {"decisions": [one.uid for one in made], "said_by": "template"}
    assert [phase.name for phase in seed.phases] == ["Gather", "Decide"]


def test_a_seed_starts_at_zero_and_its_own_cases_never_count_for_it(desk, seeds, cited):
    made = cited(GOOD)
    (seed,) = seeds()
    assert (seed.state, seed.figures.confidence, seed.figures.effective_uses) == ("new", 0.1, 0)

    desk.decide([seed.uid], [True] * 3, text="Again.")
    seeds()

    assert desk.standing(seed.uid).figures.effective_uses == 3
    assert len(made) == 15


def test_a_decision_of_before_that_cites_a_seed_afterwards_does_not_count(desk, seeds, cited):
    cited(GOOD)
    (seed,) = seeds()
    desk.clock.advance(days=-10)

    desk.decide([seed.uid], [True], text="Told later.")
    desk.clock.advance(days=10)
    seeds()

    assert desk.standing(seed.uid).figures.effective_uses == 0


@pytest.mark.parametrize("hits", [[True, False] * 15, [True] * 9, [None] * 30])
def test_no_skill_too_few_or_no_vote_makes_nothing(seeds, cited, hits):
    cited(hits)

    assert seeds() == []


def test_decisions_that_name_no_indicator_make_nothing(seeds, cited):
    cited(GOOD, text="It felt right.")

    assert seeds() == []


def test_a_decision_that_was_recorded_late_makes_nothing(desk, seeds):
    desk.method("dip")
    desk.decide(["dip"], GOOD, text=WORDS, late_by=2)

    assert seeds() == []


def test_what_a_method_watches_already_makes_nothing_new(store, clock, ids, desk, seeds):
    new = NewMethodology(
        *("Buy BTC on RSI below 30 with negative funding rate", "major_crypto", "bullish"),
        "intraday",
    )
    uid = add_methodology(Writer(store, clock, ids), new).uid
    desk.decide([uid], GOOD, text=WORDS)

    assert seeds() == []


def test_a_case_belongs_to_one_seed(seeds, cited):
    cited(GOOD)
    cited([True] * 14, text="MACD crossed.", direction="short")

    found = seeds()

    assert sorted(one.indicators for one in found) == [("funding_rate", "rsi"), ("macd",)]
    assert {one.direction for one in found} == {"bullish", "bearish"}


def test_a_seed_is_planted_once_also_after_its_deletion(store, clock, ids, seeds, cited):
    cited(GOOD)
    (seed,) = seeds()
    delete_methodology(Writer(store, clock, ids, actor="owner"), seed.uid)
    cited([True])

    assert [one.state for one in seeds()] == ["deleted"]


def test_at_most_three_seeds_a_pass(desk, seeds, cited):
    for names in ("RSI", "MACD", "funding rate", "open interest", "VWAP"):
        cited([True] * 14, text=f"{names} says so.")

    assert len(seeds()) == 3


def test_a_pattern_that_works_becomes_a_method_of_its_decisions_class(store, clock, ids, seeds):
    role = RoleDesk(store, clock, ids)
    made = role.decide([True] * 40 + [False] * 8, assets=("SOL",))
    role.weigh()

    (seed,) = seeds("pattern")

    assert (seed.asset_class, seed.direction, seed.timeframe) == ("layer_1", "bullish", "intraday")
    assert seed.primary_signal == "momentum"
    assert seed.methodology.startswith(
        "Go long for a day in an asset of class layer_1 when the price rose beyond its usual range"
    )
    assert "right 40 of 48 stretches" in seed.evidence
    assert len(seed.seeded_from[0]["decisions"]) == len(made)
    assert seeds("pattern") == [seed]


def test_a_pattern_that_fails_becomes_nothing(store, clock, ids, seeds):
    role = RoleDesk(store, clock, ids)
    role.decide([False] * 40 + [True] * 8)
    role.weigh()
    assert role.patterns("confirmed")

    assert seeds("pattern") == []


def test_the_heartbeat_counts_seeds_and_a_pass_without_news_makes_none(desk, cited):
    cited(GOOD)

    assert desk.synthesize().numbers["changes"]["seeded"] == 1
    assert desk.synthesize().numbers["changes"] == {}


@pytest.mark.parametrize(
    ("hours", "timeframe"),
    [(4, "intraday"), (24, "intraday"), (72, "short"), (336, "short"), (720, "medium")],
)
def test_a_window_takes_the_nearest_horizon(hours, timeframe):
    assert nearest_timeframe(hours) == timeframe
