"""Ids that the loop of a replay draws: a stop changes none of them."""

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.operations.replay.loop import ReplayLoop
from afterword.pipeline.operations.replay.run import roles_for, status_of
from tests.unit.replay.clock_worlds import BARS_A_DAY, METHOD, decided, found, market, moment
from tests.unit.replay.worlds import BEGIN, HOUR, gone_on, plan_of, prepared

DAY = 24 * HOUR
FIRST_SEEDS, NEXT_SEEDS = "2024-02-17 00:30", "2024-03-18 00:30"
"""Passes that look for seeds: the first ones of their links."""


@pytest.fixture
def plan(stores, tmp_path):
    """A price that rises for a day and falls for a day: bought at lows, later sold at highs.

    All of it is right. So the loop makes a method of the purchases, and one of the sales a month
    later. Nothing else of this world draws an id.
    """
    tide = 2 * BARS_A_DAY
    prices = market(tmp_path, 80, lambda bar: 100 + 2 * min(bar % tide, tide - bar % tide))
    bought = [
        decided(stores, BEGIN + day * DAY, methods=["rising"], why=" on RSI")
        for day in range(10, 46, 2)
    ]
    sold = [
        decided(stores, BEGIN + day * DAY, direction="short", methods=["rising"], why=" on MACD")
        for day in range(47, 75, 2)
    ]
    return plan_of(prices, rules=(), decisions=(*bought, *sold), methods=(METHOD,))


def test_methods_that_the_loop_makes_have_the_same_ids_after_a_stop_between_them(stores, plan):
    whole, cut = prepared(stores, "whole", plan), prepared(stores, "cut", plan)
    end = gone_on(stores, whole, plan, slice_days=1_000)

    first = ReplayLoop(cut, roles_for(stores.home, 24), status_of(cut).settings, HeuristicJudge())
    first.advance(to_micros(moment("2024-02-20 00:30")))
    assert [known_at for *_, known_at in made(cut)] == [FIRST_SEEDS]
    resumed = gone_on(stores, cut, plan)

    assert made(cut) == made(whole)
    assert [known_at for *_, known_at in made(whole)] == [FIRST_SEEDS, NEXT_SEEDS]
    assert resumed.state_hash == end.state_hash


def made(store):
    """Return the methods that the loop made: uid, name and when each became known."""
    query = "SELECT uid, name, known_at FROM methodologies WHERE source = 'cases' ORDER BY id"
    return found(store, query)
