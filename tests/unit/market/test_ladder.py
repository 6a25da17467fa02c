"""A ladder answers every stretch with the digits that a pass over its bars would give."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.clock import to_micros
from afterword.pipeline.rules.market.exact import PPB, ppb_of, rounded, rounded_root, share_of
from afterword.pipeline.rules.market.extremes import Extremes
from afterword.pipeline.rules.market.ladder import Ladder, PriceRow
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.rules.market.volatility import FEWEST_MOVES

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
START = datetime(2024, 3, 4, tzinfo=UTC)
HOUR_US = 3_600_000_000

prices = st.decimals("0.01", "99999", places=2)


def ladder(*closes: object, symbol: str = "SOLUSDT", splits: tuple[Split, ...] = ()) -> Ladder:
    made = Ladder(symbol, HOUR, splits)
    made.extend(rows(closes))
    return made


def rows(closes: object, first: int = 0) -> list[PriceRow]:
    opened = to_micros(START)
    return [
        PriceRow(opened + (first + place) * HOUR_US, *4 * (str(close),))
        for place, close in enumerate(closes)  # type: ignore[call-overload]
    ]


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**20))
def test_a_quotient_is_rounded_as_the_fraction_is(part, whole):
    assert rounded(part, whole) == round(Fraction(part, whole))


@given(st.integers(0, 10**40), st.integers(1, 10**20))
def test_a_root_is_the_nearest_whole_number(part, whole):
    found = rounded_root(part, whole)
    assert Fraction(2 * found - 1, 2) ** 2 * whole <= part or found == 0
    assert part <= Fraction(2 * found + 1, 2) ** 2 * whole


def test_a_half_goes_to_the_even_number():
    assert [rounded(part, 2) for part in (-3, -1, 1, 3, 5)] == [-2, 0, 0, 2, 2]
    assert [rounded_root(part, 4) for part in (1, 9, 25)] == [0, 2, 2]  # roots of 0.5, 1.5, 2.5


def test_a_share_and_its_parts_are_one_number():
    assert ppb_of(Decimal("0.0013")) == 1_300_000
    assert [str(share_of(ppb)) for ppb in (50_000_000, -1, 0)] == ["0.05", "-1E-9", "0"]


@pytest.mark.parametrize("pick", [min, max])
@given(data=st.data())
def test_the_extreme_of_any_stretch_is_that_of_its_numbers(pick, data):
    parts = data.draw(st.lists(st.lists(st.integers(0, 30), max_size=90), min_size=1, max_size=6))
    extremes, numbers = Extremes(pick), [number for part in parts for number in part]
    for part in parts:
        extremes.extend(part)
    if not numbers:
        return
    first = data.draw(st.integers(0, len(numbers) - 1))
    last = data.draw(st.integers(first, len(numbers) - 1))
    level = data.draw(st.integers(-1, 31))

    reaching = [at for at in range(first, last + 1) if pick(numbers[at], level) == numbers[at]]
    assert extremes.between(first, last) == pick(numbers[first : last + 1])
    assert extremes.first_reaching(level, first, last) == (reaching[0] if reaching else None)


@given(st.lists(prices, min_size=2, max_size=60), st.data())
def test_a_ladder_of_any_slice_has_the_same_digits(closes, data):
    """Sums of whole numbers do not depend on where they begin, nor on how bars came in."""
    whole, cut = ladder(*closes), data.draw(st.integers(0, len(closes) - 1))
    part = Ladder("SOLUSDT", HOUR)
    part.extend(rows(closes[cut:], cut)[:1])
    part.extend(rows(closes[cut:], cut)[1:])
    last = len(closes) - 1

    assert whole.move_ppb(cut, last) == part.move_ppb(0, last - cut)
    sums = (whole.squares[last] - whole.squares[cut], part.squares[-1] - part.squares[0])
    assert sums[0] == sums[1]


def test_prices_of_any_number_of_decimals_are_exact():
    made = ladder("0.0000013", "100", "3")
    made.extend(rows(["0.00000000012"], 3))

    assert made.move_ppb(0, 1) == round((Fraction(100) / Fraction("0.0000013") - 1) * PPB)
    assert made.move_ppb(2, 3) == round((Fraction("0.00000000012") / 3 - 1) * PPB)
    assert made.texts == ["0.0000013", "100", "3", "0.00000000012"]


def test_the_spread_needs_so_many_moves():
    closes = [100 + place % 2 for place in range(FEWEST_MOVES + 1)]
    made, moment = ladder(*closes), to_micros(START) + len(closes) * HOUR_US

    first = made.first_recent(moment)
    assert made.spread(first, len(closes) - 2) is None
    found = made.spread(first, len(closes) - 1)
    assert found is not None
    expected = sqrt(sum((b / a - 1) ** 2 for a, b in pairwise(closes)) / 20)
    assert found.sigma_ppb(HOUR_US) == pytest.approx(expected * PPB, abs=2)


def test_a_weekend_counts_with_its_hours_and_its_one_move():
    made = Ladder("EURUSD", HOUR)
    made.extend(
        [
            row._replace(t_open=row.t_open + 48 * HOUR_US * (row.close == "1.02"))
            for row in rows([*["1", "1.01"] * 11, "1.02"])
        ]
    )

    found = made.spread(made.first_recent(made.closed[-1]), len(made) - 1)
    assert found is not None
    assert found.took == (len(made) - 1 + 48) * HOUR_US


def test_a_split_is_no_move_and_an_unknown_one_is_a_jump():
    closes, split = ["100", "101", "25.5", "25"], Split(START + 2 * HOUR, Fraction(4))

    told = ladder(*closes, symbol="AAPL", splits=(split,))
    assert told.move_ppb(1, 2) == rounded((102 - 101) * PPB, 101)
    assert told.jumps == []
    assert ladder(*closes, symbol="AAPL").jumps == [2]
    assert ladder(*closes, symbol="SOLUSDT").jumps == []  # coins do not split
