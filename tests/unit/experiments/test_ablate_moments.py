"""What a decision is counted as, and when: as of its entry, and never by what came later."""

from datetime import timedelta

import pytest

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import StoreOptions, Stores, reading
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.delete import delete_methodology
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.ids import random_uid
from afterword.pipeline.operations.replay.loop import ReplayLoop
from afterword.pipeline.operations.replay.run import roles_for, slice_end, status_of
from afterword.pipeline.testing.clock import ManualClock
from tests.unit.experiments.ablate_worlds import (
    DAY,
    SIDES,
    WARM,
    change,
    gated_decisions,
    method_uid,
    plan,
)
from tests.unit.replay.worlds import BEGIN, NOW, gone_on, prepared, replayed

FIRST = BEGIN + WARM * DAY
"""The first decisions; there is one a day."""

DAYS = 9
SECOND = timedelta(seconds=1)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A replay in which each test has methods of its own."""
    folder = tmp_path_factory.mktemp("ablate")
    count = iter(range(1 << 30))
    options = StoreOptions(synchronous="NORMAL")
    stores = Stores(folder / "home", options, ManualClock(NOW), lambda: f"{next(count):032x}")
    names = ("After", "At", "Between", "Flagged", "Other", "Deleted")
    made = plan(stores.home, folder, WARM + DAYS, **dict.fromkeys(names, 0.0))
    replayed(stores, "world", made, 1_000)
    yield stores.replay("world")
    stores.close()


def graduated_days(store, name) -> list[int]:
    """Return the days, counted from the first, on which calls of a name count as graduated."""
    with reading(store) as conn:
        found = gated_decisions(conn, status_of(store).cursor)
    own = [one for one in found if one.key.startswith(f"{name} ")]
    assert len(own) >= 2 * (DAYS - 2)
    return sorted({day_of(one.entry_at) for one in own if one.is_graduated})


def day_of(at: int) -> int:
    return (from_micros(at) - FIRST).days


def test_a_graduation_after_a_decision_does_not_count_for_it(world):
    change(world, "After", "graduated", FIRST + 4 * DAY + SECOND)

    assert graduated_days(world, "After") == [5, 6, 7]


def test_a_graduation_at_the_moment_of_a_decision_counts_as_a_pass_comes_first(world):
    change(world, "At", "graduated", FIRST + 4 * DAY)

    assert graduated_days(world, "At") == [4, 5, 6, 7]


def test_between_a_demotion_and_the_next_graduation_it_counts_as_not_graduated(world):
    change(world, "Between", "graduated", FIRST)
    change(world, "Between", "demoted", FIRST + 2 * DAY)
    change(world, "Between", "graduated", FIRST + 5 * DAY)

    assert graduated_days(world, "Between") == [0, 1, 5, 6, 7]


def test_a_flagged_method_is_not_shown_until_it_recovers(world):
    change(world, "Flagged", "graduated", FIRST)
    change(world, "Flagged", "flag", FIRST + 3 * DAY)
    change(world, "Flagged", "recover", FIRST + 6 * DAY)

    assert graduated_days(world, "Flagged") == [0, 1, 2, 6, 7]


def test_a_deleted_method_is_not_shown(world):
    change(world, "Deleted", "graduated", FIRST)
    clock = ManualClock(FIRST + 3 * DAY)
    for side in SIDES:
        delete_methodology(
            Writer(world, clock, random_uid, actor="owner"), method_uid("Deleted", side)
        )

    assert graduated_days(world, "Deleted") == [0, 1, 2]


def test_a_gate_that_is_not_in_force_lets_nobody_through(world):
    change(world, "Other", "graduated", FIRST, gate="literal")

    assert graduated_days(world, "Other") == []


def test_what_is_known_half_way_is_the_first_half_of_what_is_known_at_the_end(stores, tmp_path):
    """So who is compared with whom never depends on how it ended, nor on when it is asked."""
    made = plan(stores.home, tmp_path, WARM + DAYS, Oracle=0.6, Coin=0.0)
    store = prepared(stores, "half", made)
    settings = status_of(store).settings
    loop = ReplayLoop(store, roles_for(stores.home, 24), settings, HeuristicJudge())
    loop.advance(slice_end(loop.cursor, settings.ends_at, WARM + DAYS // 2))
    with reading(store) as conn:
        half = gated_decisions(conn, loop.cursor)
    gone_on(stores, store, made, 1_000)

    with reading(store) as conn:
        assert half == gated_decisions(conn, loop.cursor) != []
        assert len(half) < len(gated_decisions(conn, status_of(store).cursor))
