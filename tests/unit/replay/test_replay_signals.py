"""Textbook rules call what their books say, from nothing but the closes so far."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.signals import (
    Breakout,
    MeanReversion,
    Momentum,
    Signal,
    read_rule,
    span,
)
from afterword.pipeline.rules.market.splits import Split

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
WEEK = 168
RULES = [Momentum(WEEK), MeanReversion(WEEK, deviations=Decimal("1.5")), Breakout(WEEK)]
STILL = [100] * 7

prices = st.decimals("0.01", "99999", places=2)


def said(rule, series):
    """Return the call at the last close."""
    found = rule.signal(series, len(series.closes) - 1)
    return found and found.side


@pytest.mark.parametrize(
    ("last", "side", "saw"),
    [
        ("106.1", "long", "closed at 106.1, 6.1 % above the close of 7 days before"),
        ("99.39", "short", "closed at 99.39, 0.61 % below the close of 7 days before"),
    ],
)
def test_momentum_goes_with_the_move_over_its_look_back(closes, last, side, saw):
    # The close of 7 days before is 100; those between do not matter.
    series = closes(["250", "100", 90, 80, 70, 120, 130, 140, last])

    assert Momentum(WEEK).signal(series, 8) == Signal(side, saw)


def test_momentum_calls_nothing_where_the_price_is_where_it_was(closes):
    assert said(Momentum(WEEK), closes([100, *[90] * 6, 100])) is None


@pytest.mark.parametrize(("last", "side"), [(107, "short"), (93, "long"), (100, None)])
def test_mean_reversion_goes_against_a_close_far_from_the_mean(closes, last, side):
    # Six closes of 100 and one of 107: the mean is 101, the deviation sqrt(6) = 2.449, and the
    # last one is 6 / 2.449 = 2.449 deviations above.
    series = closes([500, *[100] * 6, last])

    assert said(MeanReversion(WEEK), series) == side
    assert said(MeanReversion(WEEK, deviations=Decimal("2.5")), series) is None
    if side:
        saw = MeanReversion(WEEK).signal(series, 7).saw
        way = "above" if side == "short" else "below"
        assert (
            saw
            == f"closed at {last}, 2.45 standard deviations {way} the mean daily close of 7 days"
        )


def test_a_close_exactly_at_the_threshold_is_not_beyond_it(closes):
    # Four closes of 100 and one of 105 have the mean 101 and the deviation 2.
    series = closes([100, *[100] * 4, 105])

    assert said(MeanReversion(120, deviations=Decimal("1.999999")), series) == "short"
    assert said(MeanReversion(120, deviations=Decimal(2)), series) is None


@pytest.mark.parametrize(
    ("last", "side", "saw"),
    [
        ("121", "long", "closed at 121, 0.83 % above the highest daily close of the 7 days before"),
        ("78", "short", "closed at 78, 2.5 % below the lowest daily close of the 7 days before"),
        ("120", None, None),
        ("80", None, None),
    ],
)
def test_a_breakout_goes_beyond_all_closes_of_the_look_back(closes, last, side, saw):
    # 300 and 1 are of 9 and 8 days before.
    series = closes([300, 1, 120, 90, 100, 110, 80, 100, 100, last])
    found = Breakout(WEEK).signal(series, 9)

    assert found == (side and Signal(side, saw))


def test_the_close_at_the_beginning_of_the_look_back_is_in_the_range(closes):
    assert said(Breakout(WEEK), closes([1, 130, *[100] * 6, 125])) is None
    assert said(Breakout(WEEK), closes([130, *STILL, 125])) == "long"


@pytest.mark.parametrize("rule", RULES)
def test_a_series_that_does_not_reach_back_calls_nothing(closes, rule):
    series = closes([100, 100, 101, 99, 100, 101, 130, 150])

    assert said(rule, series) is not None
    assert said(rule, closes([100, 101, 99, 100, 101, 130, 150])) is None


@pytest.mark.parametrize("rule", RULES)
def test_an_old_price_is_none_of_the_beginning_of_the_look_back(closes, rule):
    values = [100, 100, 100, 100, 100, 101, 99, 100, 101, 130, 150]

    assert said(rule, closes(values)) is not None
    assert said(rule, closes(values, without=(3, 2))) is not None  # closed two days before
    assert said(rule, closes(values, without=(3, 2, 1))) is None
    # Three days are a long weekend of a market that closes.
    assert said(rule, closes(values, "EURUSD", without=(3, 2, 1))) is not None


@pytest.mark.parametrize("rule", [MeanReversion(72, deviations=Decimal("0.1")), Breakout(72)])
def test_a_mean_or_extreme_of_a_few_closes_calls_nothing(closes, rule):
    assert said(rule, closes([100, 101, 99, 150])) is None


@pytest.mark.parametrize("rule", [Momentum(12), MeanReversion(12, 1), Breakout(12, 1)])
def test_bars_longer_than_the_look_back_call_nothing(closes, rule):
    assert said(rule, closes([100, 101, 99, 100, 101, 130])) is None


@pytest.mark.parametrize("rule", RULES)
@given(seed=st.integers(0, 10_000), last=st.integers(24 * 7, 24 * 9))
def test_hourly_bars_call_what_daily_bars_of_the_same_hour_call(closes, walk, rule, seed, last):
    values = walk(24 * 9 + 1, seed)
    hours = closes(values, interval=HOUR)
    daily = closes(values[last % 24 : last + 1 : 24])

    assert rule.signal(hours, last) == rule.signal(daily, len(daily) - 1)


def test_a_range_of_hours_sees_what_a_range_of_days_does_not(closes):
    values = [100] * 200
    values[171] = 105

    hours = closes([*values, 103], interval=HOUR)
    assert said(Breakout(WEEK), hours) == "long"
    assert said(Breakout(WEEK, spacing_hours=1), hours) is None
    assert Breakout(WEEK, 6).signal(hours, 200).saw.endswith("6-hourly close of the 7 days before")


def test_a_close_counts_once_in_a_mean_however_many_days_it_stood(closes):
    # Four closes of 100 and one of 105 are exactly two deviations apart; were that of before the
    # weekend counted three times, it would be 2.45 of them.
    series = closes([*[100] * 7, 105], "AAPL", without=(4, 5))

    assert said(MeanReversion(WEEK, deviations=Decimal("1.99")), series) == "short"
    assert said(MeanReversion(WEEK, deviations=Decimal(2)), series) is None


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("ratio", [Fraction(7), Fraction(1, 8)])
def test_a_split_is_no_move(closes, rule, ratio):
    split = Split(datetime(2024, 1, 10, tzinfo=UTC), ratio)  # before the seventh bar opens
    after = Decimal(56) * ratio.denominator / ratio.numerator
    raw = [*["56"] * 6, *[str(after)] * 3]

    assert said(rule, closes(raw, "AAPL")) is None  # a jump that no file explains
    assert said(rule, closes(raw, "AAPL", splits=(split,))) is None
    raw[-1] = str(after * 2 / 3)
    assert said(rule, closes(raw, "AAPL", splits=(split,))) == (
        "long" if rule.name == "mean_reversion" else "short"
    )


def test_a_signal_names_prices_in_the_units_of_its_moment(closes):
    split = Split(datetime(2024, 1, 10, tzinfo=UTC), Fraction(7))
    series = closes([*["700"] * 6, "100", "110"], "AAPL", splits=(split,))

    saw = Momentum(WEEK).signal(series, 7).saw
    assert saw == "closed at 110, 10.0 % above the close of 7 days before"


@pytest.mark.parametrize("rule", RULES)
@given(values=st.lists(prices, min_size=9, max_size=40), data=st.data())
def test_what_comes_later_or_was_long_before_changes_no_call(closes, rule, values, data):
    last = data.draw(st.integers(8, len(values) - 1))
    series = closes(values)
    found = rule.signal(series, last)

    assert rule.signal(closes(values[: last + 1]), last) == found
    begin = data.draw(st.integers(0, last - 7))
    later = closes(values[begin:], start=datetime(2024, 1, 4, tzinfo=UTC) + begin * DAY)
    assert rule.signal(later, last - begin) == found
    # More decimals elsewhere make other whole numbers of the same prices.
    finer = closes([*values[: last + 1], "1.123456789"])
    assert rule.signal(finer, last) == found


@given(st.lists(prices, min_size=8, max_size=30))
def test_rules_agree_with_their_definitions(closes, values):
    series, last = closes(values), len(values) - 1
    window, before = [float(one) for one in values[-7:]], values[-8:-1]
    now, spread = values[-1], pstdev(window)

    then = values[-8]
    assert said(Momentum(WEEK), series) == (None if now == then else _side(now > then))
    side = None if min(before) <= now <= max(before) else _side(now > max(before))
    assert said(Breakout(WEEK), series) == side
    z = (float(now) - fmean(window)) / spread if spread > 1e-9 else 0.0
    if abs(abs(z) - 1.5) > 1e-6:  # floats may err at the threshold itself
        side = None if abs(z) < 1.5 else _side(z < 0)
        assert said(MeanReversion(WEEK, deviations=Decimal("1.5")), series) == side
    assert last == len(series.closes) - 1


def _side(is_long):
    return "long" if is_long else "short"


def test_a_rule_is_read_with_its_parameters():
    assert read_rule("momentum") == Momentum(672)
    rule = read_rule("mean_reversion", '{"lookback_hours": 336, "deviations": 1.5}')
    assert rule == MeanReversion(336, deviations=Decimal("1.5"))
    assert rule.variant == "lookback_hours=336,spacing_hours=24,deviations=1.5"
    assert (
        MeanReversion(336, deviations=Decimal("2.0")).variant
        == "lookback_hours=336,spacing_hours=24,deviations=2"
    )


@pytest.mark.parametrize(
    ("name", "parameters", "problem"),
    [
        ("moon", "{}", "momentum, mean_reversion, breakout"),
        ("momentum", "[]", "must be a JSON object"),
        ("momentum", "{", "must be a JSON object"),
        ("momentum", '{"deviations": 2}', "unknown parameter"),
        ("momentum", '{"lookback_hours": 0}', "whole hours"),
        ("momentum", '{"spacing_hours": 24}', "unknown parameter"),
        ("breakout", '{"lookback_hours": 12}', "spacing_hours: is 24"),
        ("momentum", '{"lookback_hours": true}', "whole hours"),
        ("momentum", '{"lookback_hours": 1.5}', "whole hours"),
        ("mean_reversion", '{"deviations": 0}', "above 0"),
        ("mean_reversion", '{"deviations": NaN}', "above 0"),
        ("mean_reversion", '{"lookback_hours": -1}', "whole hours"),
    ],
)
def test_a_wrong_parameter_is_refused_by_name(name, parameters, problem):
    with pytest.raises(InvalidInputError, match=problem):
        read_rule(name, parameters)


def test_spans_are_days_where_they_are_whole():
    assert [span(hours) for hours in (1, 24, 36, 672)] == ["1 hour", "1 day", "36 hours", "28 days"]
