"""The rule says which tags of the user the answer to a message needs."""

import json
from pathlib import Path

import pytest

from afterword.pipeline.recall.prompts.turn_choice import TurnDimension
from afterword.pipeline.rules.user_tags.turn_tags import (
    MOST_READ,
    TURN_DIMENSIONS,
    turn_dimensions,
)
from afterword.pipeline.rules.user_tags.turn_words import WORDS_BY_DIMENSION

MESSAGES = Path(__file__).parents[3] / "benchmarks" / "data" / "turn_messages.jsonl"


def test_each_dimension_that_is_not_of_the_core_has_words_and_a_name_for_models():
    assert tuple(WORDS_BY_DIMENSION) == TURN_DIMENSIONS == TurnDimension.__args__


@pytest.mark.parametrize(
    "message",
    [
        "price of BTC?",
        "What's the price of memes like PEPE?",
        "sell all my DOGE at market",
        "Cancel all open orders",
        "what is the all-time high of BTC",
        "帮我买入100美元的SOL",
        "Zeig mir meine offenen Orders",
        "thanks",
    ],
)
def test_an_order_and_a_question_for_figures_need_none(message):
    assert turn_dimensions(message) == ()


@pytest.mark.parametrize(
    ("message", "dimensions"),
    [
        ("Should I sell all my DOGE at the market open? I'm scared", ("FUD Immunity",)),
        ("how often should I rebalance?", ("frequency",)),
        ("ANY IDEAS FOR THIS WEEK", ("markets",)),
        ("I'm up 80% on SOL, let it run or take some off?", ("Patience Level", "Greed Index")),
        ("Was hältst du von Solana?", ("style",)),
        ("大家都在买,我要不要追", ("FOMO Index",)),
        ("Is it too late to buy? What's the price of SOL", ("FOMO Index",)),
    ],
)
def test_a_question_for_advice_needs_what_colours_the_answer(message, dimensions):
    assert turn_dimensions(message) == dimensions


def test_of_a_pasted_text_both_ends_are_read():
    pasted = "x " * MOST_READ
    assert turn_dimensions(f"{pasted}{pasted} should I double my position") == ("Greed Index",)
    assert turn_dimensions(f"{pasted} any ideas? {pasted}{pasted}") == ()


def test_the_labelled_messages_are_told_apart():
    """What the rules were written with is right; `benchmarks.intent` has the error of the rest."""
    lines = MESSAGES.read_text(encoding="utf-8").splitlines()
    wrong = [
        line["message"]
        for line in map(json.loads, lines)
        if line["part"] == "developed"
        and turn_dimensions(line["message"]) != tuple(line["dimensions"])
    ]
    assert wrong == []
