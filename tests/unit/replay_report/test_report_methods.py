"""What every methodology came to: before and since it graduated, and who else would have passed."""

import pytest

from afterword.pipeline.operations.replay_report.model import GateCount


def follow(world, maker, method, hits):
    """Decide by a method once a day; a hit is True."""
    for is_hit in hits:
        world.call(maker, 3 if is_hit else -3, methods=[method])


def line(report, name):
    (found,) = [one for one in report.methods if one.name == name]
    return found


def of(record):
    return record.uses, record.hits, record.expected


@pytest.fixture
def graduate(world):
    """A method that was right 30 times of 30, and graduated."""
    world.method("rise")
    follow(world, "momentum", "rise", [True] * 30)
    world.synthesize()
    return world


def test_a_graduate_shows_its_record_until_then_and_since(graduate):
    follow(graduate, "momentum", "rise", [True, False, True, True])
    graduate.synthesize()

    found = line(graduate.report(), "rise")

    strict, literal = found.graduations
    assert (found.state, strict.gate, literal.gate) == ("graduated", "strict", "literal")
    assert of(strict.before) == (30, 30, 15)
    assert of(strict.since) == (4, 3, 2)
    assert (strict.since.rate, strict.since.base, strict.ended_at) == (0.75, 0.5, None)
    assert of(literal.before) == (30, 30, None)
    assert of(literal.since) == (4, 3, None)
    assert of(found.strict) == (34, 33, 17)


def test_one_that_lost_its_edge_shows_what_it_did_while_it_was_graduated(graduate):
    follow(graduate, "momentum", "rise", [False] * 20)
    graduate.synthesize()

    report = graduate.report()
    strict, *_ = line(report, "rise").graduations

    assert line(report, "rise").state == "demoted"
    assert strict.ended_at == graduate.clock()
    assert (of(strict.before), of(strict.since)) == ((30, 30, 15), (20, 0, 10))
    assert report.graduated() == []


def test_all_graduations_of_a_gate_are_added_up(graduate):
    follow(graduate, "momentum", "rise", [True, False])
    graduate.synthesize()

    strict, literal = graduate.report().tried.before_after

    assert (strict.graduations, of(strict.before), of(strict.since)) == (1, (30, 30, 15), (2, 1, 1))
    assert (literal.graduations, of(literal.since)) == (1, (2, 1, None))


def test_placebos_are_counted_by_each_gate_that_they_would_have_passed(world):
    for name in ("lucky", "unlucky", "idle"):
        world.method(name, source="placebo")
    follow(world, "fixed", "lucky", [True] * 30)
    world.synthesize()
    follow(world, "anew", "unlucky", [True, False] * 10)
    world.synthesize()

    tried = world.report().tried

    assert tried.placebos == GateCount(3, 2, 1, 1, 1)
    assert (tried.methods, tried.tried) == (GateCount(0, 0, 0, 0, 0), 0)


def test_a_placebo_that_passed_once_counts_though_it_fell_back_later(world):
    world.method("lucky", source="placebo")
    follow(world, "fixed", "lucky", [True] * 30)
    world.synthesize()
    follow(world, "fixed", "lucky", [False] * 60)
    world.synthesize()

    assert world.report().tried.placebos == GateCount(1, 1, 1, 1, 1)


def test_what_was_never_decided_on_is_written_and_has_no_record(world):
    world.method("idle")
    world.synthesize()

    report = world.report()

    assert report.tried.methods == GateCount(1, 0, 0, 0, 0)
    assert of(line(report, "idle").strict) == (0, 0, 0)
    assert line(report, "idle").strict.rate is None


def test_months_until_a_verdict_count_from_the_end_of_the_replay(world):
    world.method("slow")
    follow(world, "momentum", "slow", [True, True, True, False] * 5)
    world.synthesize()

    found = line(world.report(), "slow")

    days = (found.verdict_at - world.clock()).total_seconds() / 86_400
    assert found.uses_needed > 0
    assert found.months_needed == pytest.approx(days / (365.25 / 12), abs=1e-5)
