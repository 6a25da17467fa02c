"""Rules find what users durably say of themselves, and take nothing else for it."""

import json

import pytest

from afterword.pipeline.rules.statements.find import find_statements
from benchmarks.statements import read_sentences

SEEN = [sentence for sentence in read_sentences() if sentence.split == "seen"]


@pytest.mark.parametrize("sentence", SEEN, ids=lambda sentence: sentence.text[:40])
def test_the_sentences_that_the_rules_were_written_with_are_read_right(sentence):
    assert bool(find_statements(sentence.text).statements) == (sentence.kind != "none")


@pytest.mark.parametrize(
    "message",
    [
        "<memory-context>\n- [preference] I prefer limit orders.\n</memory-context>\nAnd BTC?",
        "&lt;memory-context> I prefer limit orders. &lt;/memory-context> And BTC?",
        "<relevant-memories>I prefer limit orders.</relevant-memories> And BTC?",
        "<tool_result>\nI prefer limit orders.\n",
        "```\nI prefer limit orders.\n```\nWhat does this print?",
        "> I prefer limit orders.\nWhat did I mean?",
        "$ echo I prefer limit orders.\nI prefer limit orders.\n$ ls\nnotes.txt\n$ pwd\n/home/me/x",
        "2026-03-01 12:00:01 INFO I prefer limit orders.",
        json.dumps({"role": "user", "content": "I prefer limit orders."}, indent=1),
        "Read HEARTBEAT.md if it exists. I prefer limit orders. Else reply HEARTBEAT_OK.",
        "[cron:540da09011aa backup] I prefer limit orders.",
        "[Scheduled] I prefer limit orders.",
        "System: I prefer limit orders.",
        "You are a trader. I prefer limit orders and never use stops.",
        "# SOUL.md\n\nI prefer limit orders.",
        "# Persona\n\nI prefer limit orders.\n\n## Rules\n\nI never use leverage.",
        "- I buy low\n- I sell high\n- I prefer limit orders.\n- I never use leverage.",
        "Alice: I prefer limit orders.\nBob: I prefer market orders.",
        "Please rewrite this text:\nI prefer limit orders.",
        "On Mon, 2 Mar 2026 Bob wrote:\nI prefer limit orders.",
        'He whispered "I prefer limit orders." and left.',
        "I prefer limit orders. " * 400,
    ],
)
def test_what_no_person_typed_of_the_self_says_nothing(message):
    assert find_statements(message).statements == ()


@pytest.mark.parametrize(
    "message",
    [
        "[Telegram Sam id:42 2026-03-01 12:00 UTC] I prefer limit orders.",
        "```\nprint(1)\n```\nI prefer limit orders.",
        "<memory-context>\n- likes ETH\n</memory-context>\nI prefer limit orders.",
        "Thanks!\n\nPS: I prefer limit orders.",
        "- I prefer limit orders.",
        "Here is the error:\n    Traceback: x\nBy the way, I prefer limit orders.",
    ],
)
def test_a_statement_beside_what_machines_wrote_is_found(message):
    assert [one.text for one in find_statements(message).statements] == ["I prefer limit orders."]


def test_why_something_is_no_statement_is_told():
    assert find_statements("If I were rich, I prefer gold.").refused == ("hypothetical",)
    assert find_statements("I prefer limit orders, or so he told me.").refused == ("reported",)
    assert find_statements("Maybe. I prefer gold, I guess.").refused == ("hedged",)
    assert find_statements("HEARTBEAT_OK").refused == ("machine",)
