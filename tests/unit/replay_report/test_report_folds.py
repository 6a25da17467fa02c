"""Part by part: what was graduated when it began, and what came in it. And stated confidence."""

from afterword.pipeline.operations.replay_report.folds import fold_starts, graduated_at
from afterword.pipeline.operations.replay_report.model import FoldCount
from afterword.pipeline.operations.replay_report.rows import MethodEvent


def event(method, kind, at, gate="strict"):
    return MethodEvent(method, kind, gate if kind in ("graduated", "demoted") else None, {}, at)


def test_parts_are_equally_long():
    assert fold_starts(100, 180, 4) == [100, 120, 140, 160]


def test_what_is_graduated_at_a_moment_is_what_the_gate_in_force_let_through_by_then():
    events = [
        event(1, "graduated", 10),
        event(2, "graduated", 10, "literal"),
        event(3, "graduated", 20),
        event(1, "demoted", 25, "literal"),
        event(1, "synthesis_auto_demote", 30),
        event(3, "merged", 40),
    ]

    assert list(graduated_at([9, 10, 29, 30, 40], events, "strict")) == [
        frozenset(),
        {1},
        {1, 3},
        {3},
        frozenset(),
    ]
    assert list(graduated_at([10, 25], events, "literal")) == [{2}, {2}]


def test_a_part_follows_what_had_graduated_when_it_began(world):
    world.method("rise")
    world.method("fall", direction="bearish")
    for _ in range(40):  # parts of 40 days: it graduates in the first one
        world.call("momentum", 3, methods=["rise"])
    world.synthesize()
    for place in range(120):
        is_hit = place % 3 > 0
        world.call("momentum", 3 if is_hit else -3, methods=["rise"], wait=False)
        world.call("breakout", -0.2, stance="short", methods=["fall"], wait=False)
        world.call("anew", 3, stance="short")
    world.synthesize()

    first, second, *_, last = world.report().folds

    assert (first.graduated, first.cited.decisions) == ((), 0)
    assert first.every == FoldCount(40, 40, 40, 20.0, 1.0, 0.5)
    assert second.graduated == last.graduated == ("rise",)
    assert second.cited == FoldCount(40, 40, 26, 20.0, 0.65, 0.5)
    assert (second.every.decisions, second.every.voted) == (80, 40)
    assert second.placebo == FoldCount(40, 40, 0, 20.0, 0.0, 0.5)


def test_a_decision_that_cites_two_graduates_counts_once(world):
    for name in ("rise", "surge"):
        world.method(name)
    for _ in range(40):
        world.call("momentum", 3, methods=["rise", "surge"])
    world.synthesize()
    for _ in range(120):
        world.call("momentum", 3, methods=["rise", "surge"])

    world.synthesize()

    assert [one.cited.decisions for one in world.report().folds] == [0, 40, 40, 40]


def test_stated_confidence_is_held_against_what_came_true(world):
    for place in range(10):
        world.call(
            "momentum", 3 if place < 6 else -3, confidence=0.75, wait=False, asset=f"A{place}"
        )
    world.clock.advance(hours=24)
    world.call("momentum", 3, confidence=0.55)
    world.call("momentum", 0.1, confidence=0.55)  # inside the band
    world.call("anew", 3, confidence=0.9)

    found = world.report().stated

    assert [(one.stated, one.hit, one.decisions) for one in found.bins] == [
        (0.55, 1.0, 1),
        (0.75, 0.6, 10),
    ]
    # Ten decisions of one moment share their prices: two stretches in all.
    assert (found.decisions, found.stretches) == (11, 2)
    assert found.bins[1].low < 0.15 < 0.31  # 0.31: of ten decisions
    assert found.brier == round((6 * 0.25**2 + 4 * 0.75**2 + 0.45**2) / 11, 6)
