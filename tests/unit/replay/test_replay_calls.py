"""Makers decide at closes, on what was known then, and equally wherever the prices begin or end."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.replay.calls import (
    MakerCall,
    Placebo,
    fixed_side,
    placebo_calls,
    rule_calls,
    usual_placebos,
)
from afterword.pipeline.rules.market.signals import (
    OPPOSITE,
    Breakout,
    MeanReversion,
    Momentum,
    Signal,
)

DAY, HOUR, WEEK = timedelta(days=1), timedelta(hours=1), timedelta(days=7)
DAY_US = DAY // timedelta(microseconds=1)
START = datetime(2024, 1, 4, tzinfo=UTC)
MOMENTUM = Momentum(168)
RULES = (MOMENTUM, MeanReversion(168, deviations=Decimal(1)), Breakout(168))
PLACEBOS = (*usual_placebos(RULES), Placebo("anew", number=2))


class LeakingRule(Momentum):
    """Momentum that looks one bar ahead where there is one."""

    def signal(self, series, last):
        peeked = min(last + 1, len(series.closes) - 1)
        rises = series.closes[peeked] > series.closes[last]
        return Signal("long" if rises else "short", "peeked")


def all_calls(series, rules=RULES, placebos=PLACEBOS, every=DAY, seed=7):
    made = [*rule_calls(series, rules, every), *placebo_calls(series, placebos, every, seed)]
    return sorted(made, key=lambda one: (one.at, one.asset, one.maker, one.variant))


def assert_equal_whether_or_not_the_prices_go_on(make, values, rules, every=DAY):
    """Cut the prices after each bar: the calls up to then must be those of the whole series."""
    placebos = (*usual_placebos(rules), Placebo("anew", number=2))
    whole = all_calls({"SOL": make(values, interval=6 * HOUR)}, rules, placebos, every)
    for count in range(1, len(values)):
        part = make(values[:count], interval=6 * HOUR)
        known = [call for call in whole if call.at <= part.closed[-1]]
        assert all_calls({"SOL": part}, rules, placebos, every) == known


def moments(series, every):
    made = placebo_calls({"SOL": series}, [Placebo("fixed")], every, seed=1)
    return [f"{from_micros(call.at):%a %d %H:%M}" for call in made]


def test_a_rule_says_what_it_saw(closes):
    series = closes(["42000", *["41000"] * 6, "42000", "44562"])

    # The close of January 12; seven days before, the first bar closed.
    calls = [*rule_calls({"BTC": closes(["42000", *["41000"] * 6, "44562"])}, [MOMENTUM], DAY)]
    assert calls == [
        MakerCall(
            to_micros(START + 8 * DAY),
            "BTC",
            "momentum",
            "long",
            "BTC closed at 44,562, 6.1 % above the close of 7 days before: momentum says long.",
            "lookback_hours=168",
        )
    ]
    assert [one.stance for one in rule_calls({"BTC": series}, [MOMENTUM], DAY)] == ["long"]


def test_placebos_say_what_they_are_made_of(closes):
    series = {"BTC": closes(["42000", *["41000"] * 6, "44562", "44000"])}
    said = {call.maker: call.words for call in placebo_calls(series, PLACEBOS, DAY, seed=5)}

    saw = "BTC closed at 44,000, 7.3 % above the close of 7 days before"
    assert said["flipped:momentum"] == f"{saw}: momentum says long, its opposite short."
    saw = "On 2024-01-12 00:00 BTC closed at 44,562, 6.1 % above the close of 7 days before"
    assert said["stale:momentum"] == f"{saw}: momentum said long then."
    assert said["fixed"].startswith("BTC, whatever its price does: this placebo always says ")
    assert said["anew"].startswith("BTC, whatever its price does: the coin of this moment says ")


def test_makers_decide_at_the_first_close_at_or_after_each_multiple(closes):
    hours = closes([100] * 50, interval=HOUR, start=START + timedelta(minutes=20), without=(23,))

    # The bar that closes at 00:20 is the first after midnight; the one of Friday is missing.
    assert moments(hours, DAY) == ["Fri 05 01:20", "Sat 06 00:20"]
    assert moments(hours, 12 * HOUR) == [
        "Thu 04 12:20",
        "Fri 05 01:20",
        "Fri 05 12:20",
        "Sat 06 00:20",
    ]
    assert moments(closes([100] * 15), WEEK) == ["Thu 11 00:00", "Thu 18 00:00"]


def test_one_close_is_decided_at_once_however_many_multiples_it_follows(closes):
    weekend = closes([100] * 6, "AAPL", without=(2, 3))  # no bars of Saturday and Sunday

    assert moments(weekend, DAY) == ["Fri 05 00:00", "Sat 06 00:00", "Tue 09 00:00", "Wed 10 00:00"]
    assert moments(weekend, HOUR) == moments(weekend, DAY)


def test_a_first_close_counts_only_if_the_multiple_is_within_its_bar(closes):
    late = closes([100] * 30, interval=HOUR, start=START + 5 * HOUR)

    assert moments(late, DAY) == ["Fri 05 00:00"]
    assert moments(closes([100] * 2, interval=HOUR, start=START - HOUR), DAY) == ["Thu 04 00:00"]
    assert moments(closes([100] * 2, interval=timedelta(0)), DAY) == ["Thu 04 00:00"]


def test_calls_come_by_moment_asset_and_maker(closes, walk):
    series = {
        asset: closes(walk(60, seed=place), interval=6 * HOUR)
        for place, asset in enumerate(("SOL", "BTC", "ETH"))
    }
    for made in (
        [*rule_calls(series, (RULES[1], RULES[0], RULES[2]), DAY)],
        [*placebo_calls(series, PLACEBOS[::-1], DAY, seed=1)],
    ):
        order = [(one.at, one.asset, one.maker, one.variant) for one in made]
        assert order == sorted(set(order))
        assert {one.asset for one in made} == {"BTC", "ETH", "SOL"}


@given(seed=st.integers(0, 10_000), hours=st.sampled_from([6, 24, 30, 168]))
def test_calls_are_equal_whether_or_not_the_prices_go_on(closes, walk, seed, hours):
    rules = (Momentum(24), MeanReversion(48, deviations=Decimal(1)), Breakout(48))

    assert_equal_whether_or_not_the_prices_go_on(closes, walk(24, seed), rules, hours * HOUR)


def test_a_rule_that_peeks_at_the_next_bar_is_caught(closes, walk):
    with pytest.raises(AssertionError):
        assert_equal_whether_or_not_the_prices_go_on(closes, walk(24), (LeakingRule(24),))


@given(seed=st.integers(0, 10_000), begin=st.integers(1, 150))
def test_calls_are_equal_for_hours_that_begin_later(closes, walk, seed, begin):
    values = walk(24 * 16, seed)
    later = closes(values[begin:], interval=HOUR, start=START + begin * HOUR)
    reaching = to_micros(START + (begin + 1) * HOUR) + 8 * DAY_US  # stale reads one day further

    known = [one for one in all_calls({"SOL": closes(values, interval=HOUR)}) if one.at >= reaching]
    assert known
    assert [one for one in all_calls({"SOL": later}) if one.at >= reaching] == known


def test_the_order_of_assets_and_makers_changes_no_call(closes, walk):
    one, other = (closes(walk(80, seed), interval=6 * HOUR) for seed in (1, 2))

    both = all_calls({"SOL": one, "ETH": other})
    assert (
        all_calls({"ETH": other, "SOL": one}, (RULES[1], RULES[0], RULES[2]), PLACEBOS[::-1])
        == both
    )
    assert [call for call in both if call.asset == "SOL"] == all_calls({"SOL": one})


def test_drawn_placebos_call_both_sides_about_equally_often(closes):
    series = {"SOL": closes([100] * 20)}
    sides = Counter()
    for seed in range(400):
        for call in placebo_calls(series, [Placebo("fixed"), Placebo("anew")], DAY, seed):
            sides[call.maker, call.stance] += 1

    # 400 and 8,000 draws: their standard deviations are 2.5 and 0.56 points of a share.
    assert sides["fixed", "long"] / (20 * 400) == pytest.approx(0.5, abs=0.075)
    assert sides["anew", "long"] / (20 * 400) == pytest.approx(0.5, abs=0.017)


def test_a_fixed_placebo_keeps_its_side_in_a_class_and_one_drawn_anew_does_not(closes):
    series = {asset: closes([100] * 30) for asset in ("SOL", "AVAX", "AAPL")}
    made = [*placebo_calls(series, [Placebo("fixed"), Placebo("anew")], DAY, seed=3)]
    sides = {
        asset: {call.stance for call in made if (call.maker, call.asset) == ("fixed", asset)}
        for asset in series
    }

    assert sides["SOL"] == sides["AVAX"] == {fixed_side(Placebo("fixed"), "layer_1", 3)}
    assert sides["AAPL"] == {fixed_side(Placebo("fixed"), "stock", 3)}
    sides = [
        [fixed_side(Placebo("fixed"), of, seed) for seed in range(20)] for of in ("etf", "stock")
    ]
    assert set(sides[0]) == set(sides[1]) == {"long", "short"} and sides[0] != sides[1]
    anew = {asset: [one.stance for one in made if one.asset == asset] for asset in ("SOL", "AVAX")}
    assert anew["SOL"] != anew["AVAX"]


def test_drawn_placebos_of_another_number_or_seed_draw_for_themselves(closes):
    series = {"SOL": closes([100] * 40)}

    def sides(number, seed):
        made = placebo_calls(series, [Placebo("anew", number=number)], DAY, seed)
        return tuple(call.stance for call in made)

    assert len({sides(1, 1), sides(2, 1), sides(1, 2)}) == 3
    assert sides(2, 1) == sides(2, 1)


@given(st.integers(0, 10_000))
def test_a_flipped_placebo_is_the_opposite_of_its_rule_wherever_that_calls(closes, walk, seed):
    series = {"SOL": closes(walk(100, seed), interval=6 * HOUR)}
    for rule in RULES:
        flipped = placebo_calls(series, [Placebo("flipped", rule)], DAY, seed)
        expected = [(one.at, OPPOSITE[one.stance]) for one in rule_calls(series, [rule], DAY)]
        assert [(one.at, one.stance) for one in flipped] == expected


@given(st.integers(0, 10_000))
def test_a_stale_placebo_says_what_its_rule_said_one_step_before(closes, walk, seed):
    series = {"SOL": closes(walk(100, seed), interval=6 * HOUR)}
    end = series["SOL"].closed[-1]
    for rule in RULES:
        stale = placebo_calls(series, [Placebo("stale", rule)], DAY, seed)
        ruled = [(one.at + DAY_US, one.stance) for one in rule_calls(series, [rule], DAY)]
        assert [(one.at, one.stance) for one in stale] == [one for one in ruled if one[0] <= end]


def test_a_stale_placebo_passes_over_a_weekend_and_not_over_an_outage(closes):
    values = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112]

    def stale(symbol, without):
        series = {"SOL": closes(values, symbol, without=without)}
        made = placebo_calls(series, [Placebo("stale", Momentum(24))], DAY, seed=1)
        return [(one.at - to_micros(START)) // DAY_US for one in made]

    assert stale("AAPL", (5, 6)) == [3, 4, 5, 8, 9, 10, 11, 12, 13]
    # The rule calls nothing on day 10, after the outage; what it said on day 5 is no longer told.
    assert stale("SOL", (5, 6, 7, 8)) == [3, 4, 5, 12, 13]


def test_calls_do_not_depend_on_the_hash_of_a_process(closes, walk):
    script = """
import hashlib
from datetime import timedelta
from afterword.pipeline.operations.replay.calls import placebo_calls, rule_calls, usual_placebos
from afterword.pipeline.rules.market.ladder import Ladder, PriceRow
from afterword.pipeline.rules.market.signals import Breakout, MeanReversion, Momentum

day, series = timedelta(days=1), {}
for asset in {"SOL", "ETH", "BTC"}:  # in the order of this process
    ladder = Ladder(asset, day)
    prices = [str(100 + place * place * ord(asset[0]) % 37) for place in range(90)]
    ladder.extend(PriceRow(place * 86_400_000_000, *4 * (one,)) for place, one in enumerate(prices))
    series[asset] = ladder
rules = [Momentum(), MeanReversion(), Breakout()]
calls = [*rule_calls(series, rules, day), *placebo_calls(series, usual_placebos(rules), day, 1)]
print(len(calls), hashlib.sha256(repr(calls).encode()).hexdigest())
"""
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(said) == 1
    assert int(said.pop().split()[0]) > 500


def test_draws_are_those_that_were_written_down(closes):
    """Another draw would change every replay that was made so far."""
    series = {asset: closes([100] * 64) for asset in ("SOL", "AAPL")}
    made = placebo_calls(series, [Placebo("fixed"), Placebo("anew")], DAY, seed=11)
    said = " ".join(f"{one.at}{one.asset}{one.maker}{one.stance}" for one in made)

    assert hashlib.sha256(said.encode()).hexdigest()[:16] == "e15e711f8c28c2b0"


@pytest.mark.parametrize("every", [timedelta(0), -DAY])
def test_makers_need_a_time_between_decisions(every):
    for make in (rule_calls, lambda *given: placebo_calls(*given, seed=1)):
        with pytest.raises(InvalidInputError, match="above 0"):
            make({}, [], every)


def test_a_placebo_is_made_from_a_rule_or_drawn():
    with pytest.raises(InvalidInputError, match="flipped"):
        Placebo("flipped")
    with pytest.raises(InvalidInputError, match="anew"):
        Placebo("anew", MOMENTUM)
    assert [one.maker for one in usual_placebos([MOMENTUM])] == [
        "fixed",
        "anew",
        "flipped:momentum",
        "stale:momentum",
    ]
