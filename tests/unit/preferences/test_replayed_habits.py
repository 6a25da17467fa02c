"""A replay of trades learns habits as it goes: alike in slices of any size, without effects."""

import pytest

from afterword.pipeline.core.store import reading
from tests.unit.replay.worlds import export_of, plan_of, replayed, trader

LEARNED = """
SELECT dimension, value, state, observed_for, observed_against, known_at
FROM learned_preferences ORDER BY id
"""


@pytest.fixture
def replay(stores, tmp_path):
    """Replay a trader's fills; return the state hash and what was learned."""

    def run(name, slice_days):
        export = export_of(trader(hours=24 * 30), tmp_path / "fills.json")
        status = replayed(stores, name, plan_of(rules=(), trades=(export,)), slice_days)
        with reading(stores.replay(name)) as conn:
            return status.state_hash, [tuple(row) for row in conn.exec_driver_sql(LEARNED)]

    return run


def test_habits_of_a_replay_are_known_from_their_weeks_on_for_any_slice(stores, replay):
    whole, by_day = replay("whole", 60), replay("daily", 1)

    assert whole == by_day
    learned = whole[1]
    assert ("asset", "SOL", "active") in {row[:3] for row in learned}
    assert len({row[5] for row in learned}) > 1


def test_a_replay_writes_neither_tags_nor_memories_nor_jobs_of_what_it_learns(stores, replay):
    replay("whole", 60)

    with reading(stores.replay("whole")) as conn:
        counts = [
            conn.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
            for table in ("user_tags", "jobs")
        ]
        learned = "SELECT count(*) FROM memories WHERE source = 'learned_preference'"
        assert [*counts, conn.exec_driver_sql(learned).scalar_one()] == [0, 0, 0]
