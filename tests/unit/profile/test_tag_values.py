"""The ten dimensions have the values and labels of R3, and no other value is taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.user_tags.schema import (
    LABELS,
    TAG_DIMENSIONS,
    allowed_values,
    is_valid_tag_value,
    parse_stored_tag_value,
    render_tag_schema,
    serialize_tag_value,
    tag_label,
)
from afterword.pipeline.rules.user_tags.traded_markets import traded_market, traded_markets

FIVE = "Very Low", "Low", "Medium", "High", "Very High"
OF_R3 = {
    "finance_knowledge": ("level_1", "level_2", "level_3", "level_4"),
    "frequency": ("passive", "weekly", "daily", "active"),
    "markets": ("crypto_majors", "crypto_alts", "memes", "stocks", "commodities", "pre_ipo"),
    "risk": ("conservative", "balanced", "aggressive"),
    "web3_knowledge_level": ("level_1", "level_2", "level_3", "level_4"),
    "style": ("fundamentals", "technical", "narrative", "news_event", "community"),
    "FOMO Index": FIVE,
    "FUD Immunity": ("Strong", "Medium", "Weak"),
    "Patience Level": ("High", "Medium", "Low"),
    "Greed Index": FIVE,
}


def test_every_dimension_has_the_values_of_r3():
    assert {name: allowed_values(name) for name in TAG_DIMENSIONS} == OF_R3


def test_levels_have_the_labels_of_r3():
    finance, web3 = LABELS["finance_knowledge"], LABELS["web3_knowledge_level"]

    assert tuple(finance.values()) == ("Beginner", "Intermediate", "Advanced", "Expert")
    assert tuple(web3.values()) == ("Novice", "Familiar", "Experienced", "Pro")


@pytest.mark.parametrize("dimension", ["FOMO Index", "FUD Immunity", "Patience Level"])
def test_a_personality_value_is_its_own_label(dimension: str):
    assert all(value == label for value, label in LABELS[dimension].items())


@given(st.sampled_from(TAG_DIMENSIONS), st.data())
def test_a_valid_value_is_read_back_as_it_was_stored(dimension: str, data: st.DataObject):
    values = st.sampled_from(allowed_values(dimension))
    several = st.lists(values, min_size=1, unique=True)
    value = data.draw(several if dimension == "markets" else values)

    assert is_valid_tag_value(dimension, value)
    read = parse_stored_tag_value(dimension, serialize_tag_value(dimension, value))
    assert (set(read) == set(value)) if dimension == "markets" else read == value


@pytest.mark.parametrize(
    ("dimension", "value"),
    [
        ("risk", "Conservative"),
        ("risk", " conservative"),
        ("risk", "cautious"),
        ("risk", ["conservative"]),
        ("risk", ""),
        ("FOMO Index", "high"),
        ("markets", "memes"),
        ("markets", []),
        ("markets", ["memes", "memes"]),
        ("markets", ["memes", "forex"]),
        ("markets", ["memes", 3]),
    ],
)
def test_another_value_is_refused_and_never_changed_into_one_of_the_list(dimension, value):
    assert not is_valid_tag_value(dimension, value)
    with pytest.raises(InvalidInputError) as refused:
        serialize_tag_value(dimension, value)
    assert refused.value.field == dimension
    assert allowed_values(dimension)[0] in refused.value.accepted


def test_an_unknown_dimension_is_refused_with_those_there_are():
    with pytest.raises(InvalidInputError, match="finance_knowledge, frequency"):
        allowed_values("Risk")


def test_the_schema_names_every_value_and_label():
    schema = render_tag_schema()

    assert len(schema.splitlines()) == 10
    assert "risk: conservative (Conservative) | balanced (Balanced)" in schema
    assert tag_label("markets", '["crypto_majors", "pre_ipo"]') == "Crypto majors, Pre-IPO"


@pytest.mark.parametrize(
    ("symbol", "market"),
    [
        ("BTC", "crypto_majors"),
        ("ETHUSDT", "crypto_majors"),
        ("SOL", "crypto_alts"),
        ("ARB", "crypto_alts"),
        ("AAVE", "crypto_alts"),
        ("kPEPE", "memes"),
        ("TSLA", "stocks"),
        ("SP500", "stocks"),
        ("SPY", "stocks"),
        ("GLD", "commodities"),
        ("GOLD", "commodities"),
        ("SPACEX", "pre_ipo"),
        ("EURUSD", None),
        ("USDC", None),
        ("VIX", None),
        ("NOBODYKNOWS", None),
    ],
)
def test_a_symbol_is_in_one_market_or_in_none(symbol: str, market: str | None):
    assert traded_market(symbol) == market


def test_what_somebody_states_of_a_market_counts_first():
    stated = StatedClasses({"NOBODYKNOWS": "meme_coin", "GLD": "stock"})

    assert traded_markets(["NOBODYKNOWS", "GLD", "EURUSD"], stated) == {"memes", "stocks"}
