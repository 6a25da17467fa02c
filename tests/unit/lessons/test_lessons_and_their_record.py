"""No lesson that is shown contradicts the record of its own cell, whenever one looks."""

import json
from dataclasses import replace
from random import Random

import pytest

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.outcomes.evidence import FileSnapshots, PostHoc, Snapshot
from afterword.pipeline.recall.lessons.fragment import recent_lessons
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import HOUR
from tests.unit.reflection.worlds import ROLE, Call, World, role_with_prices, walk

HOURS = 24 * 130
CELLS = """
SELECT direction, trend, subject_id, move_ppb, band_ppb, coalesce(setup_base_ppb, base_ppb),
       window_verdict
FROM outcomes
WHERE window_hours = 24
"""


@pytest.fixture(params=range(2))
def desk(request, tmp_path):
    """A desk that flips a coin each 30 hours; there are always news that it did not read.

    So each wrong call leaves a lesson, and no two calls share a stretch.
    """
    chance = Random(request.param)
    role, news = role_with_prices(), tmp_path / "news.jsonl"
    policy = replace(role.reflection_policy, post_hoc_probes=(Snapshot("news"),))
    lines = [
        {"known_at": iso(ManualClock()() + hour * HOUR), "asset": "ETH", "text": f"n{hour}"}
        for hour in range(200, HOURS, 12)
    ]
    news.write_text("\n".join(map(json.dumps, lines)))
    sources = PostHoc(snapshots={"news": FileSnapshots("news", news)})
    closes, role = {"ETH": walk(chance, HOURS)}, replace(role, reflection_policy=policy)
    one = World(tmp_path / "home", closes, role, sources)
    one.clock.set(one.start)
    calls = [
        Call(hour, "ETH", chance.choice(("long", "short", "neutral")))
        for hour in range(240, HOURS - 30, 30)
    ]
    yield one, calls
    one.stores.close()


def cells(one: World) -> dict[tuple[str, str], tuple[float, float, set[int]]]:
    """Return by cell how many calls were right, how many without skill, and all of its calls."""
    found: dict[tuple[str, str], tuple[float, float, set[int]]] = {}
    for direction, trend, row_id, move, band, base, verdict in one.rows(CELLS):
        hits, expected, ids = found.get((direction, trend), (0, 0.0, set()))
        is_out = verdict != "noise" if direction == "neutral" else abs(move) > band
        if is_out:
            hits, expected = hits + (verdict == "right"), expected + base / 1e9
        found[direction, trend] = hits, expected, ids | {row_id}
    return found


def test_no_lesson_contradicts_the_record_of_its_own_cell(desk):
    one, calls = desk
    shown = gone = 0
    for hour in range(400, HOURS, 240):
        one.live_to(hour, calls)
        learned = {
            row_id for (row_id,) in one.rows("SELECT id FROM role_memory WHERE lesson <> ''")
        }
        told = recent_lessons(one.store, one.registry, ROLE, 100, choice="all")
        cases = {lesson.id for lesson in told if lesson.label == "one case"}
        for hits, expected, ids in cells(one).values():
            if hits >= expected:
                assert not cases & ids
                gone += len(learned & ids)
        shown += len(cases)
    assert min(shown, gone) > 20
