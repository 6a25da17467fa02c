"""Which sentences state a rule of the user, and which do not."""

import pytest

from afterword.pipeline.domain.preferences.statements import rules_in


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("Never trade DOGE.", ["hard_constraint avoided_asset DOGE"]),
        (
            "Stay away from PEPE and DOGE",
            ["hard_constraint avoided_asset PEPE", "hard_constraint avoided_asset DOGE"],
        ),
        ("Please never use more than 3x leverage, ok.", ["hard_constraint max_leverage 3"]),
        ("Keep leverage at most 2.5", ["hard_constraint max_leverage 2.5"]),
        ("Don't risk more than $500 per trade", ["hard_constraint max_position_size 500"]),
        (
            "never put more than $2k into a single position",
            ["hard_constraint max_position_size 2000"],
        ),
        ("no trading on weekends", ["hard_constraint weekends none"]),
        ("Always use a stop-loss!", ["hard_constraint stop_loss always"]),
        ("I never use stops", ["soft_preference stop_loss never"]),
        ("I prefer limit orders", ["soft_preference order_type limit"]),
        ("don’t use market orders", ["soft_preference order_type market, against"]),
        ("I only trade BTC and ETH", ["soft_preference asset BTC", "soft_preference asset ETH"]),
        ("Never short.", ["hard_constraint direction long"]),
        ("I usually trade the US session", ["soft_preference session_hours us"]),
    ],
)
def test_a_sentence_that_states_a_rule_is_found(said, rules):
    found = [
        f"{rule.kind} {rule.dimension} {rule.value}{', against' if rule.is_against else ''}"
        for rule in rules_in(said)
    ]
    assert found == rules


@pytest.mark.parametrize(
    "said",
    [
        "Should I never trade DOGE?",
        "don't buy BTC today",
        "If it drops, never trade SOL",
        "My friend says never trade DOGE",
        "never trade without a stop loss on BTC",
        "never short DOGE",
        "I don't always use limit orders",
        "I do not always use limit orders",
        "Bought at 3x leverage, no more than I should",
        "sell everything above $500",
        "What is the max leverage of 50x on this venue?",
        "never trade JUNKNAME",
        "use no more than 0x leverage",
        "always " * 2_000,
    ],
)
def test_an_order_of_the_moment_a_question_or_the_words_of_others_are_no_rule(said):
    assert rules_in(said) == ()
