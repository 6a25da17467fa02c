"""What turns did with a learning is counted from rows, once a turn; only a draw can judge it."""

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.learnings.effect import learning_effect
from afterword.pipeline.domain.learnings.read import find_learning, learning_story, list_learnings
from afterword.pipeline.domain.learnings.read_rows import ComparedTurn, wrong_counts
from afterword.pipeline.domain.learnings.suggest import fitting_learnings
from afterword.pipeline.errors import ConflictError
from tests.unit.learnings.desk import ASKS, OPEN_LONG, calls


def counts(desk):
    sql = "SELECT success_count, failure_count, shown_count, ignored FROM learnings"
    return desk.facts(sql)[0]


def test_a_turn_that_runs_the_tools_in_order_counts_by_its_outcome_and_others_ignored_it(desk):
    desk.learn()
    assert counts(desk) == (1, 0, 0, 0)

    desk.turn(used=calls("get_balance", "news", "get_price", "place_order", "set_tp_sl"))
    assert counts(desk) == (2, 0, 1, 0)
    desk.turn(outcome="failed")
    assert counts(desk) == (2, 1, 2, 0)
    desk.turn(used=calls("get_price", "get_balance", "place_order"))
    desk.turn(used=[])
    assert counts(desk) == (2, 1, 4, 2)
    desk.turn()
    assert counts(desk) == (3, 1, 5, 0)


def test_a_turn_that_failed_on_a_step_of_it_took_it_up(desk):
    desk.learn()

    tried = calls("get_balance", "get_price", "place_order", failed=["place_order"])
    desk.turn(used=tried, outcome="failed")
    assert counts(desk)[1] == 1
    desk.turn(used=calls("get_balance", "news", "transfer", failed=["transfer"]), outcome="failed")
    assert counts(desk) == (1, 1, 2, 1)


def test_a_turn_counts_once_whoever_finishes_and_reviews_it_again(desk):
    uid = desk.learn()
    turn, block = desk.turn()
    assert uid in block

    desk.agent.finish_turn(turn, "succeeded", reply="Done.", tool_calls=calls(*OPEN_LONG))
    with pytest.raises(ConflictError):
        desk.agent.finish_turn(turn, "failed")
    desk.review_all()

    assert counts(desk) == (2, 0, 1, 0)
    with reading(desk.store) as conn:
        assert wrong_counts(conn) == 0


def test_each_ignored_showing_takes_five_percent_until_it_is_silent(desk):
    desk.learn()
    asks = "open a long on hyperliquid for BTC, then explain what the news of today mean for it"
    with reading(desk.store) as conn:
        (fresh,) = fitting_learnings(conn, asks)
    assert fresh.rank == fresh.similarity

    shown = [bool(desk.turn(asks, [])[1]) for _ in range(30)]

    assert shown[0] and not shown[-1], "it goes silent"
    assert shown == sorted(shown, reverse=True)
    with reading(desk.store) as conn:
        learning = find_learning(conn, 1)
    assert learning.ignored == sum(shown)
    assert learning.weight == pytest.approx(0.95 ** sum(shown))
    desk.turn()  # the words of it are nearer, and the turn runs its tools
    assert desk.turn(asks, [])[1]


def test_the_past_is_read_as_it_was(desk):
    desk.learn()
    desk.turn()
    then = desk.clock()
    with reading(desk.store) as conn:
        before = learning_story(conn, 1, then), list_learnings(conn, as_of=then)
        fitted = fitting_learnings(conn, ASKS, as_of=int(then.timestamp() * 1_000_000))

    desk.turn(used=[])
    desk.turn(outcome="failed")
    desk.learn("swap tokens on base at the best quote", "swap a token on base at the best quote")
    desk.clock.advance(days=1)
    from afterword.pipeline.domain.learnings.delete import delete_learning

    delete_learning(desk.owner, 1)

    with reading(desk.store) as conn:
        assert (learning_story(conn, 1, then), list_learnings(conn, as_of=then)) == before
        as_of = int(then.timestamp() * 1_000_000)
        assert fitting_learnings(conn, ASKS, as_of=as_of) == fitted
        assert find_learning(conn, 1, then).state == "active"
        assert find_learning(conn, 1).state == "deleted"
    assert before[0].learning.success_count == 2


def test_a_deleted_learning_is_shown_no_more_and_is_learned_again(desk):
    uid = desk.learn()
    from afterword.pipeline.domain.learnings.delete import delete_learning

    delete_learning(desk.owner, uid)
    with pytest.raises(ConflictError, match="deleted already"):
        delete_learning(desk.owner, uid)

    assert desk.turn()[1] == ""
    desk.review_all()
    assert desk.count("learnings") == 2
    assert desk.turn()[1] != ""


def test_with_a_holdout_a_draw_leaves_it_out_of_a_share_of_turns(open_desk):
    desk = open_desk(lesson_holdout=0.5)
    desk.learn()
    agent = desk.begin(holdout=0.5)

    shown = [bool(desk.turn(agent=agent)[1]) for _ in range(40)]

    assert 8 < sum(shown) < 32
    arms = dict(desk.facts("SELECT arm, count(*) FROM learning_turns GROUP BY arm"))
    assert (arms["shown"], arms["left_out"]) == (sum(shown), 40 - sum(shown))
    with reading(desk.store) as conn:
        effect = learning_story(conn, 1).effect
    assert effect.is_drawn and effect.verdict == "cannot tell yet"
    assert (effect.shown.turns, effect.other.turns) == (sum(shown), 40 - sum(shown))


def drawn(number, with_it, without):
    return [
        ComparedTurn("shown" if at % 2 else "left_out", with_it if at % 2 else without, at, 500_000,
                     bool(at % 2))
        for at in range(number)
    ]  # fmt: skip


def test_a_draw_tells_when_it_helps_and_when_it_harms():
    assert learning_effect(drawn(400, True, False)).verdict == "helped"
    assert learning_effect(drawn(400, False, True)).verdict == "did harm"
    assert learning_effect(drawn(400, True, True)).verdict == "cannot tell yet"
    low, high = learning_effect(drawn(400, True, False)).interval
    assert 0 < low <= 1 <= high


def test_without_a_draw_there_are_numbers_and_never_a_verdict(desk):
    before = [ComparedTurn("before", False, at, 0, False) for at in range(50)]
    after = [ComparedTurn("shown", True, 50 + at, 0, True) for at in range(50)]

    effect = learning_effect([*before, *after])

    assert effect.verdict == "cannot tell yet" and not effect.is_drawn
    assert effect.difference == 1.0
    assert effect.interval[0] > 0.8
    assert learning_effect([]).interval is None


def test_turns_before_it_stand_beside_those_that_were_shown_it(desk):
    desk.turn(outcome="failed")
    desk.learn()
    desk.turn()

    with reading(desk.store) as conn:
        effect = learning_story(conn, 1).effect

    assert (effect.other.turns, effect.other.succeeded) == (2, 1)
    assert (effect.shown.turns, effect.shown.succeeded, effect.followed) == (1, 1, 1)
