"""Caps, prices and windows are whole numbers and UTC days; other values are rejected by name."""

import json
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.errors import CorruptStoreError, InvalidInputError
from afterword.pipeline.gateway.budget import (
    SPENDING_CATEGORIES,
    Caps,
    Price,
    Purpose,
    Usage,
    caps_of,
    estimate_tokens,
    price_of,
)
from afterword.pipeline.gateway.budget.amounts import MOST_MICRO_USD, micro_usd, usd
from afterword.pipeline.gateway.budget.windows import day_key, ends_at
from afterword.pipeline.settings import load
from afterword.pipeline.testing.meter import level_caps

SETTING = "AFTERWORD_EMBEDDING_USD_PER_MILLION_TOKENS"


# --- caps ---------------------------------------------------------------------------------------


def test_the_default_caps_are_those_the_design_names() -> None:
    caps = caps_of(load())

    assert {c: caps.daily[c] // 10**6 for c in SPENDING_CATEGORIES} == {
        "learning": 5,
        "agent": 20,
        "workflow": 20,
        "experiment": 5,
    }
    assert {c: caps.monthly[c] // 10**6 for c in SPENDING_CATEGORIES} == {
        "learning": 50,
        "agent": 200,
        "workflow": 200,
        "experiment": 50,
    }
    assert caps.of("group_day", "main") is None
    assert caps.soft_of("category_day", "learning") == 4_000_000


def test_caps_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERWORD_LEARNING_DAILY_CAP_USD", "0.1")
    monkeypatch.setenv("AFTERWORD_GROUP_CAPS_USD", json.dumps({"main": 2.5}))

    caps = caps_of(load())

    assert caps.of("category_day", "learning") == 100_000
    assert caps.of("group_day", "main") == 2_500_000


@pytest.mark.parametrize("bad", ["nan", "-1", "1e9", "inf", "much"])
def test_a_cap_that_is_no_amount_stops_the_start(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERWORD_AGENT_MONTHLY_CAP_USD", bad)

    with pytest.raises(InvalidInputError, match="AFTERWORD_AGENT_MONTHLY_CAP_USD"):
        load()


@pytest.mark.parametrize("groups", ['{"../x": 1}', '{"Main": -1}', '{"Main": "much"}'])
def test_a_cap_of_a_group_is_refused_by_its_setting(
    groups: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFTERWORD_GROUP_CAPS_USD", groups)

    with pytest.raises(InvalidInputError, match=r"^AFTERWORD_GROUP_CAPS_USD(\.Main)?: "):
        caps_of(load())


@pytest.mark.parametrize("bad", [-1, 1.5, True, MOST_MICRO_USD + 1, float("nan"), None])
def test_caps_built_by_hand_are_checked_too(bad: object) -> None:
    with pytest.raises(InvalidInputError, match="learning_daily_cap"):
        level_caps(bad, 1)  # type: ignore[arg-type]  # the wrong type is the point
    with pytest.raises(InvalidInputError, match=r"group_caps\.main"):
        level_caps(1, 1, {"main": bad})  # type: ignore[dict-item]


def test_a_category_without_a_cap_is_refused_instead_of_unbounded() -> None:
    each = dict.fromkeys(SPENDING_CATEGORIES, 1)
    with pytest.raises(InvalidInputError, match="workflow_daily_cap"):
        Caps(daily={"learning": 1, "agent": 1, "experiment": 1}, monthly=each)
    with pytest.raises(InvalidInputError, match="learning_monthly_cap"):
        Caps(daily=each, monthly={})


@pytest.mark.parametrize("ratio", [0, -0.1, 1.01, float("nan")])
def test_a_soft_threshold_is_a_share_of_the_cap(ratio: float) -> None:
    each = dict.fromkeys(SPENDING_CATEGORIES, 1)
    with pytest.raises(InvalidInputError, match="soft_ratio"):
        Caps(daily=each, monthly=each, soft_ratio=ratio)


def test_amounts_are_exact_where_floats_are_not() -> None:
    assert micro_usd(0.1, "cap") * 10 == micro_usd(1.0, "cap") == 1_000_000
    assert micro_usd(0.0000019, "cap") == 1
    assert micro_usd(0.0000011, "price", up=True) == 2
    assert micro_usd(Decimal("1000000"), "cap") == MOST_MICRO_USD
    assert [usd(1_000_000), usd(100_000), usd(0), usd(1)] == ["1", "0.1", "0", "0.000001"]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -0.01, 1_000_000.01])
def test_an_amount_out_of_range_names_its_field(bad: float) -> None:
    with pytest.raises(InvalidInputError, match="learning_cap"):
        micro_usd(bad, "learning_cap")


# --- prices -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "usd_per_million"),
    [
        ("text-embedding-3-small", "0.02"),
        ("text-embedding-3-large", "0.13"),
        ("text-embedding-ada-002", "0.10"),
    ],
)
def test_a_million_tokens_cost_what_the_dated_table_says(model: str, usd_per_million: str) -> None:
    price = price_of(model, None, SETTING)

    assert price.cost_micro_usd(1_000_000, 0) == Decimal(usd_per_million) * 10**6
    assert price.as_of is not None


def test_a_model_without_a_price_is_refused_naming_it_and_the_setting() -> None:
    with pytest.raises(InvalidInputError, match=f"{SETTING}.*'my-model'"):
        price_of("my-model", None, SETTING)


def test_a_setting_prices_a_model_the_table_does_not_know() -> None:
    assert price_of("my-model", 0.05, SETTING).cost_micro_usd(1_000_000, 0) == 50_000
    assert price_of("local-model", 0, SETTING).cost_micro_usd(10**9, 10**9) == 0
    # A price left over from another model does not make a listed one cheaper.
    assert price_of("text-embedding-3-large", 0.001, SETTING).input_micro_usd == 130_000


@pytest.mark.parametrize("bad", [float("nan"), -1.0, 1e9])
def test_a_price_that_is_no_amount_is_refused(bad: float) -> None:
    with pytest.raises(InvalidInputError, match=SETTING):
        price_of("my-model", bad, SETTING)


@given(*[st.integers(0, 10**9)] * 4)
def test_a_cost_is_never_rounded_below_the_truth(read: int, wrote: int, p: int, q: int) -> None:
    cost = Price(p, q, None).cost_micro_usd(read, wrote)

    true = Fraction(read * p + wrote * q, 1_000_000)
    assert true <= cost < true + 1


@given(st.text())
def test_an_estimate_bounds_every_byte_level_tokenizer(text: str) -> None:
    tokens_of_one_byte_each = list(text.encode())
    assert estimate_tokens(text) == len(tokens_of_one_byte_each)


def test_an_estimate_survives_text_that_is_not_unicode() -> None:
    assert estimate_tokens("a\ud800") == 4
    assert estimate_tokens("买入") == 6


# --- what is asked for --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "asked"),
    [
        ("category", ("learnings", "main", "embed", "m")),
        ("group", ("learning", "../main", "embed", "m")),
        ("task", ("learning", "main", "", "m")),
        ("model", ("learning", "main", "embed", "")),
    ],
)
def test_a_purpose_names_its_bad_field(field: str, asked: tuple[str, str, str, str]) -> None:
    with pytest.raises(InvalidInputError) as refused:
        Purpose(*asked)
    assert refused.value.field == field


@pytest.mark.parametrize("bad", [-1, 1.0, True, "7", None, 2**60])
def test_a_usage_is_made_of_counts(bad: object) -> None:
    for place, field in enumerate(("input_tokens", "output_tokens", "cost_micro_usd")):
        parts: list[object] = [1, 1, 1]
        parts[place] = bad
        with pytest.raises(InvalidInputError, match=field):
            Usage(*parts)  # type: ignore[arg-type]


# --- windows ------------------------------------------------------------------------------------


def test_days_are_utc_days_wherever_the_clock_stands() -> None:
    tokyo = timezone(timedelta(hours=9))
    assert day_key(datetime(2026, 1, 6, 8, 59, tzinfo=tokyo)) == "2026-01-05"
    assert day_key(datetime(2026, 1, 6, 9, tzinfo=tokyo)) == "2026-01-06"


@pytest.mark.parametrize(
    ("key", "end"),
    [
        ("2026-01-05", (2026, 1, 6)),
        ("2026-01-31", (2026, 2, 1)),
        ("2026-12-31", (2027, 1, 1)),
        ("2028-02-28", (2028, 2, 29)),
        ("2028-02-29", (2028, 3, 1)),
        ("2026-02-28", (2026, 3, 1)),
        ("2026-01", (2026, 2, 1)),
        ("2026-12", (2027, 1, 1)),
        ("2028-02", (2028, 3, 1)),
    ],
)
def test_a_window_ends_at_the_next_utc_midnight(key: str, end: tuple[int, int, int]) -> None:
    assert ends_at(key) == datetime(*end, tzinfo=UTC)


@pytest.mark.parametrize("key", ["", "tomorrow", "2026-13", "2026-02-30", "9999-12-31", "9999-12"])
def test_a_stored_key_that_is_no_window_is_corruption(key: str) -> None:
    with pytest.raises(CorruptStoreError):
        ends_at(key)
