"""Whether graduation was worth following: planted edges are found, chance is not, nothing peeks."""

import random
from datetime import timedelta

import pytest

from afterword.pipeline.views.replay.ablate import graduation_verdict
from tests.unit.experiments.ablate_worlds import DAY, WARM, ablated, change, plan
from tests.unit.replay.worlds import BEGIN, replayed


def test_a_method_that_is_told_the_future_graduates_and_following_it_helps(stores, tmp_path):
    replayed(stores, "planted", plan(stores.home, tmp_path, 110, Oracle=0.6, Coin=0.0), 1_000)
    found = ablated(stores.replay("planted"))

    every, graduated, drawn, flipped = found.gates
    assert found.verdict == "helps" == graduated.pairs.verdict
    assert graduation_verdict(found).startswith("Following graduated methods helps: +0.")
    assert found.methods == 2 and found.first_graduated_at > BEGIN + (WARM + 10) * DAY
    assert flipped.pairs.mean == -graduated.pairs.mean
    assert drawn.pairs.verdict == "cannot tell yet"
    assert graduated.hit_rate > flipped.hit_rate and graduated.result > 0.3
    assert every.decisions == graduated.decisions + flipped.decisions == found.decisions
    assert every.pairs is None


@pytest.mark.parametrize("seed", [1, 2])
def test_coins_that_are_called_graduated_do_not_help(stores, tmp_path, seed):
    replayed(stores, "sham", plan(stores.home, tmp_path, 60, seed, Chosen=0.0, Coin=0.0), 1_000)
    store = stores.replay("sham")
    when = random.Random(seed).randint(WARM, 30)
    change(store, "Chosen", "graduated", BEGIN + when * DAY)
    found = ablated(store)

    assert found.verdict == "cannot tell yet"
    assert found.gates[1].pairs.n > 25
    assert "stretches; " in graduation_verdict(found)


def test_without_a_graduate_there_is_nothing_to_follow_and_the_answer_says_so(stores, tmp_path):
    replayed(stores, "none", plan(stores.home, tmp_path, WARM + 6, Coin=0.0), 1_000)
    store = stores.replay("none")

    found = ablated(store)
    assert graduation_verdict(found) == (
        "Cannot tell yet: no method has graduated, so there is nothing to follow."
    )
    assert (found.verdict, found.methods, found.first_graduated_at) == ("cannot tell yet", 0, None)
    assert [one.decisions for one in found.gates] == [found.decisions, 0, 0, found.decisions]
    assert found.decisions + found.waiting + found.unmeasured == 12 and found.decisions == 10

    change(store, "Coin", "graduated", BEGIN + 30 * DAY)
    assert graduation_verdict(ablated(store)) == (
        "Cannot tell yet: no decision with an outcome cites a method graduated by then."
    )


def test_where_all_decisions_cite_graduates_there_is_nothing_to_compare_with(stores, tmp_path):
    replayed(stores, "all", plan(stores.home, tmp_path, WARM + 5, Coin=0.0), 1_000)
    change(stores.replay("all"), "Coin", "graduated", BEGIN + timedelta(hours=1))

    found = ablated(stores.replay("all"))
    assert found.gates[1].decisions == found.decisions > 0
    assert graduation_verdict(found).endswith("so there is nothing to compare with.")
