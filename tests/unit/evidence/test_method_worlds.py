"""What both gates make of made-up methods, in small worlds with fixed seeds."""

from random import Random

from afterword.pipeline.rules.evidence.graduation import (
    graduating,
    is_literally_graduated,
    is_promising,
)
from afterword.pipeline.rules.evidence.method_record import (
    MethodTally,
    MethodVote,
    method_stretches,
)

BASE = 0.56
"""Chance of a rise: the market of these worlds goes up."""

METHODS = 200
STRETCHES = 200


def votes(chance, edge):
    """A method that always expects a rise, each time over a stretch of its own."""
    found = []
    for place in range(STRETCHES):
        is_hit = chance.random() < BASE or chance.random() < edge
        found.append(MethodVote(10 * place, 10 * place + 10, "BTC", is_hit, BASE))
    return found


def ever_promising(votes):
    tally = MethodTally()
    return any(tally.add(one) or is_promising(tally.record()) for one in method_stretches(votes))


def ever_literal(votes):
    used = correct = 0
    for vote in votes:
        used, correct = used + 1, correct + bool(vote.is_hit)
        if is_literally_graduated(correct, used):
            return True
    return False


def test_in_a_rising_market_luck_is_rarely_promising_and_often_passes_the_literal_gate():
    worlds = [votes(Random(seed), 0.0) for seed in range(METHODS)]

    assert sum(map(ever_promising, worlds)) <= METHODS * 0.05
    assert sum(map(ever_literal, worlds)) >= METHODS * 0.2


def test_an_edge_is_found():
    worlds = [votes(Random(seed), 0.4) for seed in range(50)]

    assert sum(map(ever_promising, worlds)) >= 40


def test_of_many_tried_together_hardly_a_graduate_is_luck():
    chance = Random(5)
    tallies = {}
    for method in range(METHODS):
        tallies[method] = MethodTally()
        for one in method_stretches(votes(chance, 0.5 if method < 10 else 0.0)):
            tallies[method].add(one)
    told = [method for method, tally in tallies.items() if is_promising(tally.record())]

    graduated = graduating({one: tally.wager.value for one, tally in tallies.items()}, told)

    assert len([one for one in graduated if one < 10]) >= 8
    assert len([one for one in graduated if one >= 10]) <= 1
