"""A turn that succeeds becomes a learning, and later turns of its kind are shown it."""

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.sessions.model import ToolCall
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from tests.unit.learnings.desk import ASKS, ASKS_AGAIN, OPEN_LONG, calls


def hashes(desk, tables):
    with reading(desk.store) as conn:
        return [content_hash(conn, table) for table in tables]


def test_what_a_user_asks_for_twice_is_learned_without_a_model(desk):
    desk.turn(ASKS)
    desk.review_all()
    assert desk.count("learnings") == 0

    second, _ = desk.turn(ASKS_AGAIN)
    desk.review_all()

    (row,) = desk.facts("SELECT name, trigger, source, success_count, failure_count FROM learnings")
    assert row[2:] == ("review", 1, 0)
    assert "hyperliquid" in row[1] and "ETH" not in row[1] and "900" not in row[1]
    verdicts = desk.facts("SELECT verdict, reviewer, score FROM learning_reviews ORDER BY turn_id")
    assert verdicts == [("below", "rule", 6), ("learned", "rule", 8)]
    (taught,) = desk.facts("SELECT turns.uid FROM learnings JOIN turns ON turns.id = turn_id")
    assert taught == (second,)


def test_a_turn_of_its_kind_is_shown_it_as_a_suggestion_and_no_permission(desk):
    uid = desk.learn()

    _, block = desk.turn("open a long on hyperliquid for BTC with take profit and stop loss")

    assert block.startswith("<memory-context>\n[System note: ")
    assert "suggestions and no permission" in block and block.endswith("</memory-context>")
    assert "<learnings>" in block and f"[{uid}]" in block and "worked 1 of 1 times" in block
    steps = "get_balance(coin) → get_price(coin) → place_order(coin) → set_tp_sl(coin)"
    assert f"steps: {steps}" in block


def test_other_requests_are_shown_nothing(desk):
    desk.learn()

    for message in (
        "what is the capital of France",
        "thanks!",
        "cancel all my orders",
        "?!",
        "做空",
    ):
        assert desk.turn(message, [])[1] == ""


def test_a_turn_asks_once_and_gets_the_same_again(desk):
    desk.learn()
    turn = desk.agent.begin_turn(ASKS)

    first = desk.agent.turn_learnings(turn)
    before = desk.facts("SELECT * FROM learning_turns")
    again = desk.agent.turn_learnings(turn, context="something else entirely")

    assert first and again == first
    assert desk.facts("SELECT * FROM learning_turns") == before


def test_the_context_of_the_program_helps_a_message_that_says_little(desk):
    desk.learn()
    turn = desk.agent.begin_turn("now for BTC please")

    assert desk.agent.turn_learnings(turn) == ""
    context = "open a long on hyperliquid with take profit and stop loss"
    assert "set_tp_sl" in desk.agent.turn_learnings(turn, context=context)


def test_the_same_procedure_in_other_words_is_one_learning_and_a_success(desk):
    uid = desk.learn()
    other = "go long on hyperliquid and set the take profit and a stop loss"
    turn = desk.agent.begin_turn(other)  # no block was asked for
    desk.clock.advance(minutes=1)
    desk.agent.finish_turn(turn, "succeeded", tool_calls=calls(*OPEN_LONG))
    desk.review_all()

    assert desk.facts("SELECT uid, success_count FROM learnings") == [(uid, 2)]
    last = desk.facts("SELECT verdict FROM learning_reviews ORDER BY turn_id DESC LIMIT 1")
    assert last == [("repeated",)]


def test_the_opposite_with_the_same_tools_is_another_learning(desk):
    desk.learn()
    desk.learn(
        "Open a short on hyperliquid for SOL with 500 usd, and set take profit and stop loss",
        "Please open a short on hyperliquid for ETH, and set take profit and stop loss",
    )

    assert desk.count("learnings") == 2


@pytest.mark.parametrize("outcome", ["failed"])
def test_a_failed_turn_teaches_nothing(desk, outcome):
    desk.turn(ASKS, outcome=outcome)
    desk.turn(ASKS_AGAIN, outcome=outcome)

    assert desk.waiting() == 0
    desk.turn(ASKS)
    desk.review_all()
    assert desk.count("learnings") == 0


def test_too_few_calls_are_not_reviewed(open_desk):
    desk = open_desk()
    desk.turn(used=calls("get_price", "place_order"))

    assert desk.waiting() == 0


def test_secrets_in_arguments_and_words_are_masked(desk, home):
    secret = "sk-ant-api03-" + "Q7x" * 12
    used = [ToolCall(name, {"auth": secret}) for name in OPEN_LONG]
    for message in (ASKS, ASKS_AGAIN):
        desk.turn(f"{message} key {secret}", used)
    desk.review_all()

    assert desk.count("learnings") == 1
    kept = b"".join(path.read_bytes() for path in desk.store.path.parent.iterdir())
    assert secret.encode() not in kept


def test_while_learning_is_off_nothing_is_written_shown_or_reviewed(desk):
    desk.learn()
    desk.turn(ASKS)
    waiting = desk.waiting()
    before = hashes(desk, _TABLES)
    off = desk.begin(is_enabled=False)

    _, block = desk.turn(ASKS, agent=off)

    assert block == "" and desk.waiting() == waiting
    for learn in (
        lambda: off.skill_learn("open a long", [{"tool_name": "place_order"}]),
        lambda: off.memory_learn("open a long", "Set the stop first."),
    ):
        with pytest.raises(InvalidInputError, match="AFTERWORD_LEARNING_ENABLED"):
            learn()
    assert hashes(desk, _TABLES) == before


def test_a_review_that_waited_while_learning_was_switched_off_writes_nothing(open_desk):
    on = open_desk()
    on.turn(ASKS)
    on.turn(ASKS_AGAIN)
    off = open_desk(learning_enabled=False)
    before = hashes(off, _TABLES)

    off.review_all()

    assert hashes(off, _TABLES) == before


def test_learning_changes_nothing_that_the_user_said(desk):
    desk.agent.memory_store("preference", "Prefers weekly charts")
    desk.agent.memory_write("fact", "The user trades SOL")
    tables = ("memories", "facts", "user_profile", "user_tags", "financial_profile")
    before = hashes(desk, tables)

    desk.learn()
    for _ in range(4):
        desk.turn(ASKS)
    desk.review_all()

    assert hashes(desk, tables) == before


def test_only_a_turn_of_the_session_is_shown_something(desk):
    desk.learn()
    other = desk.begin()
    turn = other.begin_turn(ASKS)

    for name in (turn, "none", "\0"):
        with pytest.raises(NotFoundError):
            desk.agent.turn_learnings(name)
    with pytest.raises(InvalidInputError, match="context"):
        other.turn_learnings(turn, context="x" * 1_001)


_TABLES = ("learnings", "learning_terms", "learning_turns", "learning_reviews")
