"""A replay ends in the same state, whatever the slices, and sees nothing of tomorrow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.errors import ConflictError, UnavailableError
from afterword.pipeline.operations.replay.loop import ReplayLoop
from afterword.pipeline.operations.replay.run import roles_for, slice_end, status_of
from afterword.pipeline.rules.market.market_record import WindowRecord
from afterword.pipeline.rules.market.signals import Momentum
from afterword.pipeline.rules.market.windows import DAY_US
from tests.unit.replay.worlds import (
    NOW,
    gone_on,
    plan_of,
    prepared,
    price_file,
    replayed,
    rows_of,
)

DERIVED = (
    *("role_memory", "outcomes", "role_patterns", "methodologies", "methodology_cases"),
    *("methodology_citations", "methodology_lifecycle_events", "methodology_cron_runs"),
    *("methodology_audit_reports", "replay_links", "audit_log"),
)


def test_any_size_of_slices_ends_in_the_same_rows_and_the_same_hash(stores, tmp_path):
    plan = plan_of(price_file(tmp_path), price_file(tmp_path, "BTCUSDT"), placebos=True)
    whole = replayed(stores, "whole", plan, slice_days=1_000)
    weeks = replayed(stores, "weeks", plan, slice_days=7)

    assert whole.state_hash == weeks.state_hash != ""
    assert rows_of(stores.replay("whole"), DERIVED) == rows_of(stores.replay("weeks"), DERIVED)
    assert (whole.state, whole.recorded, whole.decisions > 200) == ("done", whole.decisions, True)


def test_the_end_is_equal_whether_or_not_the_prices_go_on(stores, tmp_path):
    """All that a pass can see is there in both files; the rest is only in the longer one."""
    short, long = price_file(tmp_path / "cut", days=35), price_file(tmp_path, days=45)
    until = replayed(stores, "long", plan_of(long, until=_last_close(short)))

    assert replayed(stores, "short", plan_of(short)).state_hash == until.state_hash


@pytest.mark.parametrize("leak", ["price", "base rate"])
def test_a_look_at_tomorrow_is_found_by_that_comparison(stores, tmp_path, monkeypatch, leak):
    """The test of the test: a rule that reads the next bar, a base rate that counts what comes."""
    if leak == "price":
        honest = Momentum.signal
        monkeypatch.setattr(
            Momentum,
            "signal",
            lambda self, series, last: honest(self, series, min(last + 1, len(series) - 1)),
        )
    else:
        count = WindowRecord.as_of
        monkeypatch.setattr(
            WindowRecord,
            "as_of",
            lambda self, stance, at, *trend: count(self, stance, at + 400 * DAY_US, *trend),
        )
    short, long = price_file(tmp_path / "cut", days=35), price_file(tmp_path, days=45)
    until = replayed(stores, "long", plan_of(long, until=_last_close(short)))

    assert replayed(stores, "short", plan_of(short)).state_hash != until.state_hash


def test_an_answer_that_does_not_come_leaves_the_slice_undone_and_is_made_up_for(stores, tmp_path):
    plan = plan_of(price_file(tmp_path))
    calm = replayed(stores, "calm", plan)

    class Failing(HeuristicJudge):
        asked = 0

        def classify(self, case, group) -> JudgeOpinion:
            self.asked += 1
            if self.asked == 12:
                raise UnavailableError("the model is away")
            return super().classify(case, group)

    store = prepared(stores, "hurt", plan)
    with pytest.raises(UnavailableError, match="is away"):
        gone_on(stores, store, plan, 7, Failing())
    stopped = status_of(store)
    assert plan_ends(stopped) > stopped.cursor
    assert gone_on(stores, store, plan, 7).state_hash == calm.state_hash


def test_of_two_that_run_one_replay_one_is_told(stores, tmp_path):
    plan = plan_of(price_file(tmp_path, days=30))
    store = prepared(stores, "twice", plan)
    registry, settings = roles_for(stores.home, 24), status_of(store).settings
    one, other = (ReplayLoop(store, registry, settings, HeuristicJudge()) for _ in range(2))
    one.advance(slice_end(one.cursor, settings.ends_at, 10))

    with pytest.raises(ConflictError, match="another process runs it"):
        other.advance(slice_end(other.cursor, settings.ends_at, 20))
    assert status_of(store).cursor == one.cursor


def test_another_process_with_another_hash_seed_ends_in_the_same_state(stores, tmp_path):
    path = price_file(tmp_path, days=20)
    here = replayed(stores, "here", plan_of(path)).state_hash
    code = (
        "import sys; from pathlib import Path\n"
        "from afterword.pipeline.clock import system_clock\n"
        "from afterword.pipeline.core.store import StoreOptions, Stores\n"
        "from afterword.pipeline.ids import random_uid\n"
        "from tests.unit.replay.worlds import plan_of, replayed\n"
        "stores = Stores(Path(sys.argv[1]), StoreOptions(), system_clock, random_uid)\n"
        "print(replayed(stores, 'there', plan_of(Path(sys.argv[2])), 3).state_hash)\n"
    )
    there = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "there"), str(path)],
        env=os.environ | {"PYTHONHASHSEED": "4711", "PYTHONPATH": str(Path.cwd())},
        check=True,
        capture_output=True,
        text=True,
    )
    assert there.stdout.strip() == here


def test_another_seed_draws_other_placebos_and_the_rules_decide_as_before(stores, tmp_path):
    path = price_file(tmp_path, days=20)
    first = replayed(stores, "first", plan_of(path, placebos=True))
    second = replayed(stores, "second", plan_of(path, placebos=True, seed=2))

    assert first.state_hash != second.state_hash
    assert _of_rules(stores, "first") == _of_rules(stores, "second")


def _of_rules(stores, name) -> list[tuple[object, ...]]:
    rows = rows_of(stores.replay(name), ["replay_decisions"])["replay_decisions"]
    return [row[1:4] for row in rows if row[3] in ("momentum", "breakout")]


def _last_close(path):
    from afterword.pipeline.domain.prices.csv_file import read_prices

    (found,) = read_prices(path, "file", known_by=NOW)
    return found.bars[-1].closed_at


def plan_ends(status) -> int:
    return status.settings.ends_at
