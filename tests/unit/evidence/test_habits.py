"""A report names what differs by more than chance, counts all it tried, and counts ideas once."""

from collections.abc import Sequence
from math import exp, isclose
from random import Random
from statistics import mean

import pytest

from afterword.pipeline.rules.evidence.habits import (
    FILE_LEVEL,
    RENEWAL_LEVEL,
    HabitReport,
    ScoredTrip,
    examine,
    is_renewal_due,
    normal_scores,
    sign_flip,
    trip_stretches,
)

HOUR = 3_600_000_000
COINS = ("BTC", "ETH", "SOL", "DOGE", "AVAX")


def trades(chance: Random, count: int) -> list[ScoredTrip]:
    """Make trips without any effect: fat-tailed results, labels by chance, in order of time."""
    found = []
    ends = dict.fromkeys(COINS, 0)
    was_loss = False
    for number in range(count):
        asset = chance.choice(COINS)
        entry_at = max(number * HOUR, ends[asset])
        ends[asset] = entry_at + chance.randint(1, 40) * HOUR // 4
        score = chance.gauss(0, 1) * (3 if chance.random() < 0.05 else 1)
        direction = chance.choice(("long", "short"))
        trend = chance.choice(("down", "flat", "up"))
        labels = {
            "asset": asset,
            "direction": direction,
            "trend": trend,
            "setup": f"{direction} after {trend}",
            "hour": str(chance.randrange(24)),
            "weekday": str(chance.randrange(7)),
            "size": chance.choice(("small", "usual", "large")),
        }
        if was_loss:
            labels["re-entry"] = "quick" if chance.random() < 0.2 else "slow"
        found.append(ScoredTrip(asset, direction, entry_at, ends[asset], score, score, labels))
        was_loss = score < 0
    return found


def worse(trips: Sequence[ScoredTrip], attribute: str, value: str, by: float) -> list[ScoredTrip]:
    return [
        one._replace(score=one.score - by, residual=one.score - by)
        if one.labels.get(attribute) == value
        else one
        for one in trips
    ]


def names(report: HabitReport) -> list[tuple[str, str]]:
    return [(one.attribute, one.value) for one in report.named]


def report(trips: Sequence[ScoredTrip], level: float = FILE_LEVEL) -> HabitReport:
    return examine(trips, level, frozenset({"re-entry"}))


def test_a_setup_that_is_half_a_sigma_worse_is_the_only_name():
    trips = worse(trades(Random(1), 1_500), "setup", "short after down", 0.7)

    assert names(report(trips)) == [("setup", "short after down")]


def test_quick_entries_are_compared_with_slow_ones_after_a_loss_only():
    trips = worse(trades(Random(2), 1_500), "re-entry", "quick", 0.8)

    found = report(trips)

    assert names(found) == [("re-entry", "quick")]
    quick = found.named[0].difference
    after_a_loss = sum("re-entry" in one.labels for one in trips)
    assert quick.n + quick.outside == after_a_loss < len(trips)
    assert quick.mean < quick.others


def test_what_follows_from_results_is_tested_by_what_the_market_does_not_explain():
    """Losses come in falling markets: re-entries look worse, beyond the market they are not."""
    fallen = [
        one._replace(score=one.score - 2.0) if one.labels.get("re-entry") == "quick" else one
        for one in trades(Random(9), 1_500)
    ]
    unmeasured = [one._replace(residual=None) if not n % 5 else one for n, one in enumerate(fallen)]

    assert ("re-entry", "quick") in names(examine(fallen))
    assert ("re-entry", "quick") not in names(report(fallen))
    tested = [one for one in report(unmeasured).cells if one.attribute == "re-entry"]
    measured = sum(one.residual is not None and "re-entry" in one.labels for one in unmeasured)
    assert {one.difference.n + one.difference.outside for one in tested} == {measured}


def test_the_spread_of_a_cell_is_that_of_all_shuffles():
    """With the exact variance, the squared z of shuffles have a mean of 1 in any universe."""
    chance = Random(10)
    trips = [
        ScoredTrip("BTC", "long", n, n + 1, float(n), None, {"a": "x" if n < 20 else "y"})
        for n in range(60)
    ] + [ScoredTrip("BTC", "long", n, n + 1, -float(n), None, {}) for n in range(60, 200)]
    squares = []
    for _ in range(400):
        scores = [one.score for one in trips[:60]]
        chance.shuffle(scores)
        some = [one._replace(score=score) for one, score in zip(trips, scores, strict=False)]
        squares.append(examine([*some, *trips[60:]]).cells[0].z ** 2)
    assert abs(mean(squares) - 1) < 3 * (2 / 400) ** 0.5


def test_chance_alone_is_rarely_named():
    found = [report(trades(Random(seed), 200)) for seed in range(150)]
    # 0.04 and two standard errors: 0.072 of 150.
    assert sum(bool(one.named or one.is_book_named) for one in found) <= 10


def test_all_cells_are_counted_also_those_that_nobody_prints():
    trips = worse(trades(Random(4), 1_000), "weekday", "1", 0.4)
    found = report(trips)

    assert found.tried == len(found.cells) + 1
    assert found.tried > 30
    strongest = found.cells[0]
    barely = strongest.p * found.tried
    assert names(report(trips, level=barely * 1.0001))
    assert not names(report(trips, level=barely * 0.9999))


def test_fills_of_one_trip_give_the_verdict_of_the_trip():
    trips = worse(trades(Random(5), 800), "setup", "long after up", 0.9)
    cut = [
        one._replace(
            entry_at=one.entry_at + part * (one.exit_at - one.entry_at) // 10,
            exit_at=one.exit_at - (3 - part) * (one.exit_at - one.entry_at) // 10,
        )
        for one in trips
        for part in range(4)
    ]

    whole, parts = report(trips), report(cut)

    assert names(parts) == names(whole) == [("setup", "long after up")]
    assert [one.z for one in parts.cells] == pytest.approx([one.z for one in whole.cells])
    assert (parts.trips, parts.stretches) == (4 * whole.trips, whole.stretches)


def test_the_order_of_rows_and_copies_of_a_file_change_nothing():
    trips = worse(trades(Random(6), 600), "hour", "3", 2.0)
    shuffled = trips * 2
    Random(7).shuffle(shuffled)

    one, other = report(trips), report(shuffled)

    assert names(one) == names(other)
    assert [cell.z for cell in one.cells] == pytest.approx([cell.z for cell in other.cells])


def test_a_book_that_earns_is_named_by_sign_flips():
    trips = [one._replace(score=one.score + 0.3) for one in trades(Random(8), 600)]

    found = report(trips)

    assert found.is_book_named
    assert found.named == ()
    assert found.book is not None
    assert found.book.z > 0
    assert sign_flip([1.0] * 14) is None


def test_the_same_costs_name_a_losing_book_and_no_quiet_market():
    """Costs are more usual moves of a quiet market, so results after them differ by market."""
    coins = dict(zip(COINS, (0.2, 0.5, 1.0, 2.0, 4.0), strict=True))
    trips = [
        one._replace(costs=0.3 / coins[one.asset], labels=one.labels)
        for one in trades(Random(11), 1_000)
    ]

    found = report(trips)

    assert (names(found), found.is_book_named) == ([], True)
    after = [one._replace(score=one.score - one.costs) for one in trips]
    assert {attribute for attribute, _ in names(report(after))} == {"asset"}


def test_no_interval_of_a_name_holds_zero():
    """At a level at which ranks alone would name everything."""
    intervals = []
    for seed in range(20):
        by_chance = trades(Random(seed), 300)
        found = report(worse(by_chance, "setup", "short after down", 1.2), level=60.0)
        intervals += [one.difference.interval for one in found.named]

    assert len(intervals) >= 15
    assert not [ends for ends in intervals if ends and ends[0] <= 0 <= ends[1]]


def test_the_interval_of_a_cell_widens_with_trips_that_overlap_in_it():
    """Ten coins that move as one, entered together, are one proof and not ten."""
    together = _ten_coins_at_once(Random(1))
    apart = [
        one._replace(entry_at=2 * n * HOUR, exit_at=(2 * n + 1) * HOUR)
        for n, one in enumerate(together)
    ]

    errors = [
        {(one.attribute, one.value): one.difference.error for one in examine(trips).cells}
        for trips in (together, apart)
    ]

    assert all(errors[0][key] > 2 * errors[1][key] for key in errors[0])


def test_a_cell_needs_fifteen_trips_and_as_many_outside():
    few = [
        ScoredTrip("BTC", "long", n * HOUR, n * HOUR + 1, float(n % 7), None, {"a": "x"})
        for n in range(15)
    ]
    others = [
        ScoredTrip("BTC", "long", n * HOUR, n * HOUR + 1, float(n % 5), None, {"a": "y"})
        for n in range(15, 30)
    ]

    assert [one.value for one in report(few + others).cells] == ["x", "y"]
    assert report(few[1:] + others).cells == ()


def test_normal_scores_depend_on_ranks_only():
    scores = normal_scores([5.0, -3.0, 1e9, 5.0])
    assert scores[0] == scores[3]
    assert scores == normal_scores([2.0, 1.0, 3.0, 2.0])
    assert isclose(scores[1], -1.1503493803760079)
    assert isclose(scores[2], 1.1503493803760079)


def test_overlapping_trips_of_one_asset_and_direction_are_one_result():
    def trip(start: int, end: int, score: float, direction: str = "long") -> ScoredTrip:
        return ScoredTrip("BTC", direction, start, end, score, None, {"at": str(start)})

    found = trip_stretches(
        [
            trip(6, 9, 3.0),
            trip(0, 5, 1.0),
            trip(3, 7, 2.0),
            trip(9, 12, 4.0),
            trip(4, 8, 9, "short"),
        ]
    )

    # The trip at 3 joins the one at 0, with no say; the one at 6 is entered after both ended.
    assert [(one.members, one.score, one.labels["at"]) for one in found] == [
        ((1, 2), 1.0, "0"),
        ((4,), 9.0, "4"),
        ((0,), 3.0, "6"),
        ((3,), 4.0, "9"),
    ]


def test_trips_entered_together_are_one_result_with_their_mean():
    lots = [ScoredTrip("BTC", "long", 0, end, end, None, {}) for end in (4, 6, 2)]
    found = trip_stretches([*lots, ScoredTrip("BTC", "long", 5, 9, 50.0, None, {})])
    assert [(one.members, one.exit_at, one.score) for one in found] == [((2, 0, 1, 3), 9, 4.0)]


def test_adding_to_winners_without_skill_names_no_losing_book():
    """With the mean of all that overlap, chance names a losing book here in every report."""
    named = [examine(_adding_to_winners(Random(seed))).is_book_named for seed in range(8)]
    assert named == [False] * 8


def _adding_to_winners(chance: Random) -> list[ScoredTrip]:
    """Trade a random walk: a long a day, and another one each hour in which it is winning."""
    found = []
    for day in range(300):
        walk = [0.0]
        for _ in range(24):
            walk.append(walk[-1] + chance.gauss(0, 1))
        for hour in range(24):
            if hour == 0 or walk[hour] > 0:
                score = (walk[24] - walk[hour]) / (24 - hour) ** 0.5
                entry, end = (24 * day + hour) * HOUR, 24 * (day + 1) * HOUR
                found.append(ScoredTrip("BTC", "long", entry, end, score, None, {}))
    return found


def test_trips_open_at_once_in_assets_that_move_together_are_not_so_many_proofs():
    """Without the products of trips that overlap, every such book has a named cell."""
    named = [bool(examine(_ten_coins_at_once(Random(seed))).named) for seed in range(12)]
    assert sum(named) <= 1


def _ten_coins_at_once(chance: Random) -> list[ScoredTrip]:
    """Trade ten coins with one common move, all at the same hours of some weekday."""
    found = []
    for at in range(100):
        labels = {"weekday": str(chance.randrange(5)), "hour": str(chance.randrange(4))}
        common = chance.gauss(0, 1)
        for coin in range(10):
            score = common + chance.gauss(0, 0.3)
            entry = at * HOUR
            found.append(ScoredTrip(f"C{coin}", "long", entry, entry + HOUR, score, score, labels))
    return found


def test_a_kept_account_is_judged_again_when_it_has_grown_by_half():
    assert not is_renewal_due(29, 0)
    assert is_renewal_due(30, 0)
    assert not is_renewal_due(149, 100)
    assert is_renewal_due(150, 100)


def test_an_account_looked_at_weekly_for_two_years_is_rarely_misjudged():
    ever = []
    for seed in range(40):
        trips = trades(Random(seed), 416)
        last, named = 0, False
        for week in range(1, 105):
            known = 4 * week
            if is_renewal_due(known, last):
                last = known
                found = report(trips[:known], RENEWAL_LEVEL)
                named = named or bool(found.named or found.is_book_named)
        ever.append(named)
    assert mean(ever) <= 0.05 + 2 * (0.05 * 0.95 / 40) ** 0.5


def at_limits(chance: Random, is_long: bool) -> float:
    """Return a result that is 0 on average: longs win 0.3 or lose 3, shorts win or lose 1."""
    if is_long:
        return 0.3 if chance.random() < 10 / 11 else -3.0
    return chance.choice((1.0, -1.0))


def test_results_of_another_shape_with_the_same_mean_are_no_habit():
    chance, named = Random(15), []
    for _ in range(8):
        trips = [
            one._replace(score=result, residual=result)
            for one in trades(chance, 1_000)
            for result in [at_limits(chance, one.direction == "long") + chance.gauss(0, 0.1)]
        ]
        named.append(bool(examine(trips).named))

    assert sum(named) <= 1


def closed_at_limits(chance: Random, count: int) -> list[ScoredTrip]:
    """Make trips without skill that end 3 % up or 1 % down, in coins of unequal deviations."""
    usual = [exp(chance.gauss(-4.8, 0.45)) for _ in range(10)]
    found, wild = [], 0.0
    for number in range(count):
        wild = 0.97 * wild + chance.gauss(0, 0.12)
        coin = chance.randrange(10)
        score = (0.03 if chance.random() < 0.25 else -0.01) / (usual[coin] * exp(wild))
        labels = {
            "asset": f"coin {coin}",
            "hour": str(chance.randrange(6)),
            "weekday": str(chance.randrange(7)),
            "volatility": "low" if wild < -0.2 else "high" if wild > 0.2 else "middle",
        }
        at = number * HOUR
        found.append(ScoredTrip(f"coin {coin}", "long", at, at + 1, score, score, labels))
    return found


def test_a_few_results_of_a_skewed_kind_are_rarely_named():
    named = [bool(report(closed_at_limits(Random(seed), 200)).named) for seed in range(300)]

    assert mean(named) <= 0.05
