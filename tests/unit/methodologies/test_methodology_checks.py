"""What a methodology must say: each wrong field is named, and nothing is written."""

import pytest

from afterword.pipeline.domain.methodologies.checks import check_methodology
from afterword.pipeline.domain.methodologies.model import MethodPhase, NewMethodology
from afterword.pipeline.errors import InvalidInputError

GOOD = {
    "methodology": "Buy BTC when daily RSI is oversold",
    "asset_class": "major_crypto",
    "direction": "bullish",
    "timeframe": "short",
}
TWICE = (MethodPhase("Gather"), MethodPhase("Gather"))
LATER = (MethodPhase("Gather", depends_on=("Verify",)), MethodPhase("Verify"))


def checked(actor="owner", **fields):
    return check_methodology(NewMethodology(**GOOD | fields), actor)


@pytest.mark.parametrize(
    ("fields", "field", "accepted"),
    [
        ({"methodology": ""}, "methodology", "1 to 4000 characters"),
        ({"methodology": "\u200b\u2060"}, "methodology", "text"),
        ({"methodology": "a\0b"}, "methodology", "without NUL"),
        ({"methodology": "x" * 4_001}, "methodology", "4000"),
        ({"asset_class": "unknown"}, "asset_class", "major_crypto, layer_1"),
        ({"asset_class": None}, "asset_class", "major_crypto"),
        ({"direction": "long"}, "direction", "bullish, bearish, neutral"),
        ({"direction": ""}, "direction", "bullish"),
        ({"timeframe": None}, "timeframe", "intraday"),
        ({"primary_signal": "vibes"}, "primary_signal", "momentum"),
        ({"methodology": "Do what works."}, "primary_signal", "momentum"),
        ({"indicators": ["rsi", "moon phase"]}, "indicators[1]", "rsi, stochastic"),
        ({"indicators": "rsi"}, "indicators", "a list"),
        ({"phases": TWICE}, "phases[1].name", "of its own"),
        ({"phases": LATER}, "phases[0].depends_on", "earlier phases: none"),
        ({"phases": (MethodPhase("a"),) * 13}, "phases", "up to 12"),
        ({"phases": (MethodPhase("a", criteria=("x" * 301,)),)}, "phases[0].criteria[0]", "300"),
        ({"origin": "nowhere"}, "origin", "owner"),
        ({"source": "cases"}, "source", "written, import, placebo"),
        ({"seeded_from": [1]}, "seeded_from", "none"),
        ({"imported_uses": 3}, "imported_uses", "the source import"),
        (
            {"source": "import", "imported_uses": 3, "imported_correct": 4},
            "imported_correct",
            "0 to 3",
        ),
        ({"evidence": 7}, "evidence", "text"),
        ({"key": " "}, "key", "text"),
    ],
)
def test_a_wrong_field_is_named_with_what_would_be_accepted(fields, field, accepted):
    with pytest.raises(InvalidInputError) as refused:
        checked(**fields)

    assert refused.value.field == field
    assert accepted in refused.value.accepted


def test_an_agent_writes_methods_of_its_own_only():
    with pytest.raises(InvalidInputError, match="written"):
        checked("agent", source="placebo")
    with pytest.raises(InvalidInputError, match="not the owner's"):
        checked("agent", origin="owner")


def test_what_is_missing_is_read_from_the_text():
    found = checked()

    assert (found.primary_signal, found.indicators) == ("mean_reversion", ("rsi",))
    assert found.name == "Buy BTC when daily RSI is oversold"


def test_indicators_have_one_name_each_in_any_writing():
    given = ["Relative Strength Index", "funding", "FUNDING-RATE", "布林带"]

    assert checked(indicators=given).indicators == ("bollinger_bands", "funding_rate", "rsi")


def test_the_class_of_the_requirements_own_example_is_read():
    assert checked(asset_class="crypto_alt").asset_class == "crypto_other"


def test_secrets_are_masked_everywhere():
    key = "ghp_" + "a1B2" * 9
    phase = MethodPhase("Ask", criteria=(f"token {key}",), tools_used=(f"curl {key}",))
    found = checked(methodology=f"RSI oversold, {key}", name=f"with {key}", phases=(phase,))

    assert key not in repr(found)
    assert "[masked:" in found.methodology
