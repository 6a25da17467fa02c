"""The text of a pattern by template: no word that judges, unless evidence confirms it."""

import re
from random import Random

import pytest

from afterword.pipeline.domain.patterns.model import PatternKey
from afterword.pipeline.domain.patterns.numbers import numbers_of, read_numbers
from afterword.pipeline.domain.patterns.text import template_text
from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.model import SETUPS, Vote

JUDGING = re.compile(r"\b(fail\w*|works?|edges?|habits?|costs? you)\b", re.IGNORECASE)
WEEK = 7 * 86_400_000_000


def random_family(seed):
    """Return the record of random decisions on two assets, one a week for sixty weeks."""
    chance, family = Random(seed), FamilyRecord()
    for week in range(60):
        for asset in ("BTC", "ETH"):
            entry_at, move = week * WEEK, chance.choice((0.05, -0.05))
            setup = chance.choice(SETUPS)
            family.add(Vote(0, asset, setup, entry_at, entry_at + WEEK, move, 0.01, 0.5, -0.0003))
    family.close(61 * WEEK)
    return family


def text_of(record, state):
    key = PatternKey("desk", "crypto", *record.hypothesis.setup, record.hypothesis.side)
    scope = record.scope.is_class, record.scope.assets
    return template_text(key, state, *scope, read_numbers(numbers_of(record, 168, 0.05)))


@pytest.mark.parametrize("state", ["emerging", "retired"])
def test_only_a_confirmed_text_judges(state):
    records = [one for seed in range(20) for one in random_family(seed).patterns()]

    assert [text for one in records if JUDGING.search(text := text_of(one, state))] == []
    assert all(JUDGING.search(text_of(one, "confirmed")) for one in records)


def test_a_move_that_rounds_to_nothing_has_no_sign():
    (record, *_) = random_family(1).patterns()

    assert "mean 0.0 % beyond the market" in text_of(record, "confirmed")
