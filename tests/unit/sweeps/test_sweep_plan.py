"""The cells of a sweep follow from its plan; a wrong plan is refused before anything is made."""

import json
import sys
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.operations.sweeps.engine import DaskEngine, ProcessEngine, engine_of
from afterword.pipeline.operations.sweeps.plan import MOST_SWEEP_CELLS, sweep_cells
from afterword.pipeline.operations.sweeps.sweep import run_sweep
from tests.unit.sweeps.sweeps import sweep_plan

PRICES = Path("SOLUSDT_2024_4h.csv")


def test_a_grid_is_every_combination_in_the_order_of_its_alternatives():
    plan = sweep_plan(
        PRICES,
        rules=[
            "momentum:lookback_hours=96|168",
            "mean_reversion:deviations=1.5,lookback_hours=240",
        ],
        grid=["gate=strict|literal", "seed=7"],
    )
    cells = sweep_cells(plan)

    assert [dict(one.settings) for one in cells] == [
        {"momentum.lookback_hours": hours, "gate": gate}
        for hours in ("96", "168")
        for gate in ("strict", "literal")
    ]
    assert [one.number for one in cells] == [1, 2, 3, 4]
    last = cells[-1].plan
    assert (last.gate, last.seed, last.horizon_hours) == ("literal", 7, 24)
    assert [(name, json.loads(parameters)) for name, parameters in last.rules] == [
        ("momentum", {"lookback_hours": 168}),
        ("mean_reversion", {"deviations": "1.5", "lookback_hours": 240}),
    ]
    assert last.prices == (Path.cwd() / PRICES,)


def test_every_setting_of_the_grid_reaches_the_replay():
    grid = ["horizon=7d", "every=12h", "gate=literal", "fdr=0.05", "seed=9", "placebos=yes"]
    (cell,) = sweep_cells(sweep_plan(PRICES, rules=["breakout"], grid=grid))

    plan = cell.plan
    assert (plan.horizon_hours, plan.every_hours, plan.gate) == (168, 12, "literal")
    assert (plan.fdr, plan.seed, plan.placebos, cell.settings) == (0.05, 9, True, ())


WRONG = {
    "grid: unknown key 'sed'": {"grid": ["sed=1|2"]},
    "'seed=1||2' has an empty alternative": {"grid": ["seed=1||2"]},
    "'lookback_hours=' has an empty alternative": {"rules": ["momentum:lookback_hours="]},
    "grid: must be a key with alternatives, got 'seed'": {"grid": ["seed"]},
    "seed is named twice": {"grid": ["seed=1|2", "seed=3"]},
    "'momentum' is named twice": {"rules": ["momentum", "momentum:lookback_hours=96"]},
    "momentum has 'lookback_hours' twice": {
        "rules": ["momentum:lookback_hours=96,lookback_hours=168"]
    },
    "rule: none is given": {"rules": []},
    "'luck' is unknown": {"rules": ["luck"]},
    "unknown parameter 'look'": {"rules": ["momentum:look=96|168"]},
    "lookback_hours: is 0": {"rules": ["momentum:lookback_hours=96|0"]},
    "lookback_hours: is 'four'": {"rules": ["momentum:lookback_hours=four"]},
    "horizon: of rules is 48 hours": {"grid": ["horizon=2d"]},
    "horizon: 'week' is none": {"grid": ["horizon=week"]},
    "every: is 90m": {"grid": ["every=90m"]},
    "gate: is 'open'": {"grid": ["gate=open"]},
    "fdr: is '1.5'": {"grid": ["fdr=0.1|1.5"]},
    "fdr: is 'nan'": {"grid": ["fdr=nan"]},
    "seed: is '-1'": {"grid": ["seed=-1"]},
    "placebos: is 'maybe'": {"grid": ["placebos=maybe"]},
    "cells 1 and 2 the same": {"rules": ["mean_reversion:deviations=2|2.0"]},
    "at most 1,000": {"grid": [f"seed={'|'.join(map(str, range(MOST_SWEEP_CELLS + 1)))}"]},
    "walk_forward: is -1": {"walk_forward": -1},
}


@pytest.mark.parametrize("said", WRONG)
def test_a_wrong_plan_is_one_clear_error(said):
    with pytest.raises(InvalidInputError) as error:
        sweep_cells(sweep_plan(PRICES, **WRONG[said]))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("engine", "workers", "said"),
    [
        ("threads", None, "engine: is 'threads'; accepted: processes, tcp://host:8786"),
        ("tcp://nowhere", None, "engine: is 'tcp://nowhere'"),
        ("tcp://127.0.0.1:8786", 4, "workers: is 4, but the workers of tcp://127.0.0.1:8786"),
    ],
)
def test_an_engine_that_cannot_be_is_one_clear_error(engine, workers, said):
    with pytest.raises(InvalidInputError) as error:
        engine_of(engine, workers)
    assert said in str(error.value)


def test_engines_are_found_by_name():
    assert engine_of("processes", 3) == ProcessEngine(3)
    assert engine_of("tcp://127.0.0.1:8786", None) == DaskEngine("tcp://127.0.0.1:8786")


def test_without_its_extra_a_cluster_is_one_clear_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(UnavailableError, match=r"pip install 'afterword\[cluster\]'"):
        engine_of("tcp://127.0.0.1:8786", None)
    assert engine_of("processes", 1) == ProcessEngine(1)


def test_a_scheduler_that_does_not_answer_is_one_clear_error():
    engine = DaskEngine("tcp://127.0.0.1:1", answer_s=0.3)

    with pytest.raises(UnavailableError, match=r"no Dask scheduler answers .* within 0\.3 s"):
        run_sweep(sweep_plan(PRICES), engine, lambda *_: None)
