"""What a replay came to at equal risk: each role beside the same held, and beside a coin."""

import pytest

from afterword.pipeline.operations.replay_report.equity import MOST_CURVE_POINTS, thinned
from afterword.pipeline.rules.evidence.equity import EquityPoint


def role(report, name):
    (found,) = [one for one in report.equity.roles if one.role == f"replay.{name}"]
    return found


def test_a_role_is_told_net_of_costs_beside_the_same_held_without(world):
    world.call("momentum", 4)  # (4 - 0.1) / 2
    world.call("momentum", 4, stance="short")  # (-4 - 0.1) / 2

    found = role(world.report(), "momentum")

    assert [value for _, value in found.decided.points] == [1.95, -0.1]
    assert [value for _, value in found.held.points] == [2, 4]
    assert (found.decided.total, found.decided.drawdown, found.decided.mean) == (-0.1, 2.05, -0.05)
    assert (found.right, found.wrong, found.noise, found.assets) == (1, 1, 0, 1)
    assert found.window_hours == 24


def test_a_coin_is_told_for_as_many_decisions_as_the_role_has(world):
    world.call("momentum", 4, wait=False)
    world.call("anew", 2.1)  # (2.1 - 0.1) / 2 = 1
    world.call("momentum", 4)

    report = world.report()

    assert role(report, "momentum").coin_total == 2
    assert [value for _, value in role(report, "momentum").coin] == [2]
    assert role(report, "placebo").coin is None


def test_a_coin_is_the_placebo_that_draws_anew_and_no_other(world):
    for maker in ("momentum", "anew", "fixed", "flipped:momentum"):
        world.call(maker, 2.1, wait=False)
    world.clock.advance(hours=24)

    part = world.report().equity

    assert [(one.maker, one.is_coin) for one in part.placebos] == [
        ("anew", True),
        ("fixed", False),
        ("flipped:momentum", False),
    ]
    assert [one.role for one in part.roles] == ["replay.momentum", "replay.placebo"]


def test_neutral_calls_and_markets_that_stood_still_are_counted_apart(world):
    world.call("momentum", 3, stance="neutral")
    world.call("momentum", 3, sigma=0)
    world.call("momentum", 0.2)

    found = role(world.report(), "momentum")

    assert (found.decided.decisions, found.neutral, found.unscaled, found.noise) == (1, 1, 1, 1)


def test_costs_are_told_by_class_as_the_least_and_the_most(world):
    world.call("momentum", 3, costs=0.1)
    world.call("momentum", 3, costs=0.13)

    (found,) = world.report().equity.costs

    assert (found.asset_class, found.least, found.most) == ("crypto", 0.001, 0.0013)


@pytest.mark.parametrize("count", [0, 1, MOST_CURVE_POINTS, 5_000])
def test_a_curve_keeps_its_ends_and_its_extremes(count):
    points = [EquityPoint(at, at * 7_919 % 1_009) for at in range(count)]

    kept = thinned(points)

    assert len(kept) <= MOST_CURVE_POINTS
    if points:
        assert (kept[0], kept[-1]) == (points[0], points[-1])
        assert {min(kept, key=value).micro_sigma, max(kept, key=value).micro_sigma} == {
            min(points, key=value).micro_sigma,
            max(points, key=value).micro_sigma,
        }
        assert kept == sorted(set(kept))


def value(point):
    return point.micro_sigma
