"""Outcomes of decisions: prices, splits, volatility, noise band, verdict."""

from datetime import UTC, datetime, timedelta
from decimal import Context, Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import Bar, misshapen
from afterword.pipeline.rules.market.decimals import plain, read_amount, read_price
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.market.outcome import STANCES, judged, marked
from afterword.pipeline.rules.market.splits import Split, change, read_factor_rows
from afterword.pipeline.rules.market.volatility import MOVE_PARTS, Costs, Spread, band_ppb
from afterword.pipeline.rules.market.windows import MOST_WINDOW_HOURS, due_at, lookback, oldest

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
START = datetime(2024, 3, 4, tzinfo=UTC)


def a_bar(close: str, at: datetime = START, interval: timedelta = HOUR) -> Bar:
    price = Decimal(close)
    return Bar(at, interval, price, price, price, price, Decimal(0))


@pytest.mark.parametrize(
    "text",
    ["NaN", "inf", "-Infinity", "-1", "0", "0.000", "", " 1", "1_0", "٣", "1e999", 1.5, True],
)
def test_what_is_no_price_above_zero_is_none(text):
    assert read_price(text) is None


def test_a_price_of_a_millionth_keeps_every_digit():
    assert plain(read_price("1.3e-06")) == "0.0000013"
    assert plain(read_amount("4.139563281e+11")) == "413956328100"


@given(
    digits=st.integers(-(10**90), 10**90),
    exponent=st.integers(-60, 30),
    zeros=st.integers(0, 9),
)
def test_a_number_is_written_one_way_and_means_the_same(digits, exponent, zeros):
    """Also one of far more digits than a context has, as the product of two amounts is."""
    number = Decimal(digits * 10**zeros).scaleb(exponent - zeros, Context(prec=200))
    text = plain(number)

    assert Decimal(text) == number
    assert text == plain(Decimal(digits).scaleb(exponent, Context(prec=200)))
    assert "E" not in text and not ("." in text and text.endswith(("0", ".")))


def test_nothing_is_written_without_a_sign():
    assert [plain(Decimal(text)) for text in ("0", "-0.00", "0E+9", "-0E-9")] == ["0"] * 4
    assert plain(Decimal("-1.500")) == "-1.5"


@pytest.mark.parametrize("field", ["open", "high", "low", "close"])
@pytest.mark.parametrize("price", ["0", "-1", "NaN", "sNaN", "Infinity", "-Infinity"])
def test_a_bar_with_a_price_that_is_none_above_zero_is_misshapen(field, price):
    assert misshapen(a_bar("100")) is None
    said = misshapen(a_bar("100")._replace(**{field: Decimal(price)}))
    assert said is not None
    assert said.startswith(f"{field} {price}, ")


def test_a_bar_may_be_used_once_it_is_over():
    assert a_bar("1", START, DAY).closed_at == START + DAY


def test_a_factor_file_says_whole_splits_although_its_factors_are_rounded():
    rows = [
        ["20000620", "0.86", "0.00892857", "101"],
        ["20050225", "0.86", "0.01785710", "88.97"],
        ["20140606", "0.90", "0.03571430", "645.57"],
        ["20200828", "0.99", "0.25", "499.23"],
        ["20210204", "0.99", "1", "137.39"],
        ["20501231", "1", "1", "0"],
    ]

    splits = read_factor_rows(rows, "AAPL")

    assert [int(split.ratio) for split in splits] == [2, 2, 7, 4]
    assert splits[2].effective_at == datetime(2014, 6, 7, tzinfo=UTC)


def test_a_reverse_split_is_a_ratio_below_one():
    rows = [["20200428", "1", "8", "2.13"], ["20501231", "1", "1", "0"]]

    assert read_factor_rows(rows, "USO")[0].ratio == Fraction(1, 8)


@pytest.mark.parametrize(
    "rows",
    [
        [["20200428", "1", "8"]],
        [["2020-04-28", "1", "8", "2"]],
        [["20200428", "1", "0", "2"]],
        [["20200428", "1", "NaN", "2"]],
        [["20200429", "1", "8", "2"], ["20200428", "1", "1", "2"]],
    ],
)
def test_what_is_no_factor_file_is_refused_with_its_place(rows):
    with pytest.raises(InvalidInputError, match="USO"):
        read_factor_rows(rows, "USO")


@pytest.mark.parametrize(("days", "expected"), [(0, "-0.75"), (1, "0"), (2, "-0.75")])
def test_a_split_counts_only_between_the_bars_it_lies_between(days, expected):
    before, after = a_bar("400", START, DAY), a_bar("100", START + DAY, DAY)

    assert change((Split(START + days * DAY, Fraction(4)),), before, after) == Decimal(expected)


@given(
    ratio=st.fractions(Fraction(1, 50), 50),
    close=st.decimals("0.000001", 10**6, places=6),
    at=st.integers(1, 5),
)
def test_a_split_changes_no_return(ratio, close, at):
    plain_bars = [a_bar(str(close * (10 + day)), START + day * DAY, DAY) for day in range(6)]
    split = Split(START + at * DAY, ratio)
    raw = [
        bar
        if bar.t_open < split.effective_at
        else bar._replace(close=bar.close * ratio.denominator / ratio.numerator)
        for bar in plain_bars
    ]

    honest = change((), plain_bars[0], plain_bars[-1])
    assert abs(change((split,), raw[0], raw[-1]) - honest) < Decimal("1e-20")


def spread(*changes: str, step: timedelta = HOUR) -> Spread:
    """Return the squared moves of some changes, each over one step."""
    squares = sum(int(Decimal(one) * MOVE_PARTS) ** 2 for one in changes)
    return Spread(squares, len(changes) * step // timedelta(microseconds=1))


def micros(span: timedelta) -> int:
    return span // timedelta(microseconds=1)


def test_volatility_scales_with_the_root_of_time():
    hours = spread("0.01", "-0.01")

    assert hours.sigma_ppb(micros(HOUR)) == PPB // 100
    assert hours.sigma_ppb(micros(100 * HOUR)) == PPB // 10


def test_a_move_is_beyond_the_band_of_its_own_hours():
    days = spread("0.04", "-0.04", step=DAY)  # a quarter of a deviation is 1 % in a day

    assert not days.is_beyond(10_000_000, micros(DAY))
    assert days.is_beyond(10_000_001, micros(DAY))
    assert not days.is_beyond(19_999_999, micros(4 * DAY))
    assert not days.is_beyond(-50_000_000, micros(DAY))  # costs were more than the move


def test_the_band_is_a_quarter_of_a_deviation_and_a_round_trip():
    assert Costs().round_trip == Decimal("0.0013")
    assert band_ppb(40_000_000, 1_300_000) == 11_300_000


@pytest.mark.parametrize("cost", [Decimal("NaN"), Decimal(-1), Decimal("inf"), 4.5])
def test_costs_that_are_none_are_refused(cost):
    with pytest.raises(InvalidInputError, match="fee_bps"):
        Costs(fee_bps=cost)


@pytest.mark.parametrize(
    ("stance", "move", "expected"),
    [
        ("long", 101, "right"),
        ("long", 100, "noise"),
        ("long", -100, "noise"),
        ("long", -101, "wrong"),
        ("short", -101, "right"),
        ("short", 101, "wrong"),
        ("short", 0, "noise"),
        ("neutral", 179, "right"),
        ("neutral", 180, "noise"),
        ("neutral", -220, "noise"),
        ("neutral", -221, "wrong"),
    ],
)
def test_a_verdict_needs_a_move_beyond_the_band_or_around_the_typical_one(stance, move, expected):
    assert judged(stance, move, band_ppb=100, typical_ppb=200) == expected


@given(st.integers(-(10**10), 10**10), st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_flipped_decision_gets_the_flipped_verdict(move, band, typical):
    long, short, neutral = (judged(one, move, band, typical) for one in STANCES)

    assert (long, short) in [("right", "wrong"), ("wrong", "right"), ("noise", "noise")]
    assert judged("neutral", -move, band, typical) == neutral


def test_a_mark_is_a_verdict_and_never_unknown():
    assert marked("wrong", "the owner says so").verdict == "wrong"
    with pytest.raises(InvalidInputError, match="outcome: is 'unknown'"):
        marked("unknown", "nobody knows")


def test_a_window_is_real_hours_across_a_change_to_summer_time():
    new_york = datetime(2024, 3, 9, 12, tzinfo=ZoneInfo("America/New_York"))

    assert due_at(new_york, 24) == datetime(2024, 3, 10, 17, tzinfo=UTC)
    assert due_at(new_york, 24) - new_york.astimezone(UTC) == 24 * HOUR


@pytest.mark.parametrize("hours", [0, -1, MOST_WINDOW_HOURS + 1, 1.5, True])
def test_a_window_that_is_none_is_refused(hours):
    with pytest.raises(InvalidInputError, match="window_hours"):
        due_at(START, hours)


def test_a_naive_moment_is_refused():
    with pytest.raises(InvalidInputError, match="decided_at"):
        due_at(START.replace(tzinfo=None), 24)


def test_a_price_may_be_old_only_where_markets_close():
    assert oldest("crypto", HOUR) == 2 * HOUR
    assert oldest("crypto", timedelta(0)) == HOUR
    assert oldest("forex", HOUR) > 49 * HOUR
    assert oldest("stock", DAY) == oldest(None, DAY) == 5 * DAY


def test_volatility_looks_back_a_week_of_hours_and_a_quarter_of_days():
    assert (lookback(HOUR), lookback(DAY)) == (timedelta(days=7), timedelta(days=90))
