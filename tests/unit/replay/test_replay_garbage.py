"""A slice of a replay searches for garbage once, and only in what the replay made."""

import gc
from pathlib import Path

from afterword.pipeline.core.store import Stores
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.operations.replay.run import roles_for, run_replay
from tests.unit.replay.worlds import plan_of, prepared, price_file


def test_what_a_program_holds_is_set_aside_while_a_replay_runs_and_given_back(
    stores: Stores, tmp_path: Path
):
    plan = plan_of(price_file(tmp_path, days=20))
    store = prepared(stores, "past", plan)
    held, slices = [[number] for number in range(1000)], []

    run_replay(
        store,
        roles_for(stores.home, plan.horizon_hours),
        HeuristicJudge(),
        lambda _: slices.append((gc.isenabled(), gc.get_freeze_count())),
        slice_days=10,
    )

    assert len(slices) > 1
    assert all(not searches and aside > len(held) for searches, aside in slices)
    assert (gc.isenabled(), gc.get_freeze_count()) == (True, 0)
