"""The report names what differs, counts all it tried, and judges cut files as whole ones."""

from dataclasses import replace
from datetime import UTC, timedelta
from decimal import Decimal
from random import Random

import pytest

from afterword.pipeline.domain.trades.measure import measure_trips
from afterword.pipeline.domain.trades.report import material_of, report_of
from afterword.pipeline.domain.trades.text import cell_text
from tests.unit.trades.made_trips import HOUR, START, bars, prices, trip, walk

HOURS = 24 * 200
CHANCE = Random(3)
CLOSES = {name: walk(CHANCE, HOURS) for name in ("BTCUSDT", "SOLUSDT", "DOGEUSDT")}
BOOK = prices(**{name: bars(closes) for name, closes in CLOSES.items()})
END = START + HOURS * HOUR


def account(seed: int, count: int, *, monday: float = 0.0):
    """Trade the walks by chance; trips of a Monday get so much worse (a share)."""
    chance, found, hour = Random(seed), [], 24 * 70
    for number in range(count):
        hour += chance.randint(1, 4)
        held, symbol = chance.randint(1, 3), chance.choice(sorted(CLOSES))
        direction = chance.choice(("long", "short"))
        opened = START + hour * HOUR
        entry, leave = (Decimal(CLOSES[symbol][at - 1]) for at in (hour, hour + held))
        share = (leave / entry - 1) * (1 if direction == "long" else -1)
        share -= Decimal(repr(monday)) if opened.weekday() == 0 else 0
        net = (100 * share).quantize(Decimal("0.0001"))
        found.append(
            trip(number, opened, held, str(net), symbol=symbol, direction=direction,
                 entry_px=entry, exit_px=leave)
        )  # fmt: skip
        hour += held
    return found


def report(trips, book=BOOK, **options):
    material = material_of(measure_trips(book, trips, END), UTC, {})
    values = {"is_kept": False, "account": None, "as_of": None, "at": END}
    return report_of(material, None, **values | options)


def names(found):
    return [(one.attribute, one.value) for one in found.named]


def test_a_planted_habit_is_named_with_its_numbers():
    found = report(account(1, 600, monday=0.01))

    assert names(found) == [("weekday", "Monday")]
    (cell,) = found.named
    assert cell.is_tested and cell.p is not None and cell.p < found.level / found.tried
    assert cell.difference is not None and -2.5 < cell.difference < -1.0  # 1 % of moves of 0.6 %
    assert cell.low is not None and cell.low < cell.difference < (cell.high or 0) < 0
    assert cell.trips == len(cell.trip_uids) == cell.n_eff
    mondays = [one for one in account(1, 600, monday=0.01) if one.trip_uid in set(cell.trip_uids)]
    assert {one.opened_at.weekday() for one in mondays if one.opened_at} == {0}
    assert cell.net_micro_usd == sum(int(one.net.scaleb(6)) for one in mondays)
    assert cell.difference_micro_usd == pytest.approx(
        cell.difference * cell.unit_share * 100 * 1e6 * cell.trips, rel=1e-6
    )
    assert cell_text(cell).startswith(f"trips entered on a Monday: {cell.trips} trips, −1.82 usual")


def test_every_cell_is_counted_also_those_too_small_to_test():
    found = report(account(2, 400))
    cells = [*found.named, *found.looked_at]
    assert found.tried == sum(one.is_tested for one in cells) + 1  # and the book
    held = [one for one in cells if one.attribute == "held"]
    assert held and not any(one.is_tested for one in held)
    assert sum(one.trips for one in cells if one.attribute == "weekday") == 400


def test_a_file_cut_into_overlapping_lots_has_the_verdict_of_the_whole():
    whole = account(1, 500, monday=0.01)
    lots = [
        replace(
            one,
            trip_uid=f"{part}{one.trip_uid[1:]}",
            opened_at=(one.opened_at or START) + part * timedelta(seconds=4),
            closed_at=one.closed_at - (3 - part) * timedelta(minutes=5),
            net=one.net / 4,
            notional=Decimal(25),
        )
        for one in whole
        for part in range(4)
    ]
    one, other = report(whole), report(lots)
    assert names(one) == names(other) == [("weekday", "Monday")]
    assert (one.stretches, 4 * one.coverage.tested) == (other.stretches, other.coverage.tested)
    assert one.sums[0].net == other.sums[0].net
    assert [round(cell.z or 0, 6) for cell in one.named] == [
        round(cell.z or 0, 6) for cell in other.named
    ]


def test_order_and_copies_change_nothing():
    trips = account(4, 300)
    mixed = [*trips, *trips]
    Random(1).shuffle(mixed)
    assert report(mixed) == report(trips)


def test_without_prices_re_entries_are_not_tested_and_the_report_says_so():
    found = report(account(5, 400), prices())
    assert (found.coverage.basis, found.coverage.untested) == ("own_results", ("re-entry",))
    assert not any(one.attribute in ("re-entry", "trend", "setup") for one in found.looked_at)
    assert found.coverage.tested == 400


def test_trips_without_prices_among_priced_ones_are_not_tested():
    trips = account(6, 300)
    others = [replace(one, trip_uid=f"f{one.trip_uid[1:]}", symbol="ZZZUSDT") for one in trips[:40]]
    found = report([*trips, *others])
    assert (found.coverage.basis, found.coverage.tested) == ("prices", 300)
    assert found.coverage.reasons == (("no_series", 40),)


def test_incomplete_trips_are_summed_apart_and_never_tested():
    trips = account(7, 60)
    part = [replace(one, is_incomplete=True) for one in trips[:20]]
    found = report([*part, *trips[20:]])
    assert (found.coverage.incomplete, found.coverage.tested) == (20, 40)
    assert (found.sums[0].trips, found.incomplete_sums[0].trips) == (40, 20)
    assert found.sums[0].net + found.incomplete_sums[0].net == sum(one.net for one in trips)


def test_an_empty_account_has_an_empty_report():
    found = report([])
    assert (found.named, found.looked_at, found.book, found.coverage.basis) == ((), (), None, None)


def closed_at_a_limit(seed: int, count: int, take: float, stop: float):
    """Trade the walks by chance, and close at the first close beyond a profit or a loss."""
    chance, found, hour = Random(seed), [], 24 * 70
    for number in range(count):
        hour += chance.randint(1, 3)
        symbol, sign = chance.choice(sorted(CLOSES)), chance.choice((1, -1))
        closes = [Decimal(one) for one in CLOSES[symbol][hour - 1 : hour + 48]]
        shares = [sign * (one / closes[0] - 1) for one in closes]
        held = next((at for at, one in enumerate(shares) if one >= take or one <= -stop), 48)
        if hour + held >= HOURS:
            break
        held = min(held, len(closes) - 1)
        net = (100 * shares[held]).quantize(Decimal("0.0001"))
        found.append(
            trip(number, START + hour * HOUR, held, str(net), symbol=symbol,
                 direction="long" if sign > 0 else "short", entry_px=closes[0],
                 exit_px=closes[held])
        )  # fmt: skip
        hour += held
    return found


def test_small_quick_profits_and_large_slow_losses_are_no_edge():
    found = [report(closed_at_a_limit(seed, 400, 0.006, 0.03)).book for seed in range(6)]

    assert [one.is_named for one in found if one] == [False] * 6
