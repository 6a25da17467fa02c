"""In made worlds: luck teaches nothing, a flaw teaches once it is confirmed, one by one or at once.

All of it goes through what `role reflect` does, with the judge by rule.
"""

import json
import re
from datetime import datetime, timedelta
from random import Random

import pytest

from afterword.pipeline.clock import iso
from tests.unit.reflection.worlds import World, chasing, flips, walk, waves

HOURS = 24 * 60
FIRST_TO_END = len(waves(90))

DECISIONS = "SELECT * FROM role_memory ORDER BY id"
OUTCOMES = """
SELECT subject_id, window_hours, rule_version, known_at, verdict, window_verdict, entry_at, exit_at,
  move_ppb, band_ppb, base_ppb, trend_ppb, residual_ppb
FROM outcomes ORDER BY subject_kind, subject_id, window_hours
"""
EVIDENCE = "SELECT hash, body, known_at FROM judge_evidence ORDER BY hash"
PATTERNS = """
SELECT role_id, asset_class, direction, trend, side, state, is_class, assets, numbers, text,
  known_at
FROM role_patterns WHERE superseded_at IS NULL ORDER BY 1, 2, 3, 4, 5
"""
LESSONS = "SELECT id, rule_class, lesson FROM role_memory WHERE lesson IS NOT NULL ORDER BY id"


@pytest.fixture
def world(tmp_path):
    made = []

    def of(closes):
        made.append(World(tmp_path / f"home{len(made)}", closes))
        return made[-1]

    yield of
    for one in made:
        one.stores.close()


@pytest.mark.parametrize("seed", range(4))
def test_coin_flips_leave_no_lesson(world, seed):
    chance = Random(seed)
    assets = ["SOL", "ETH", "BTC"]
    one = world({asset: walk(chance, HOURS) for asset in assets})
    one.record(flips(chance, HOURS, assets, 250))
    one.reflect()

    assert one.rows("SELECT count(*) FROM role_memory WHERE outcome = 'wrong'") > [(50,)]
    assert one.rows(LESSONS) == []
    assert one.rows("SELECT DISTINCT rule_class FROM role_memory WHERE outcome = 'wrong'") in (
        [("variance",)],
        [("exogenous",), ("variance",)],
        [("variance",), ("exogenous",)],
    )
    assert one.rows("SELECT text FROM role_patterns WHERE state = 'confirmed'") == []


def test_a_flaw_teaches_only_once_its_record_confirms_it(world):
    one = world({"SOL": waves(90)})
    one.record(chasing(90))
    one.reflect()

    classes = [word for (word,) in one.rows("SELECT rule_class FROM role_memory ORDER BY id")]
    first = classes.index("logic_error")
    assert set(classes[:first]) <= {"variance", "exogenous"}
    assert set(classes[first:]) == {"logic_error"}
    assert first >= 20  # stretches that a pattern rests on at least
    lessons = one.rows(LESSONS)
    assert [row_id for row_id, *_ in lessons] == list(range(first + 1, len(classes) + 1))
    assert all("right 0 of" in lesson for *_, lesson in lessons)


def test_a_flaw_of_one_asset_is_no_error_of_another(world):
    chance = Random(1)
    one = world({"SOL": waves(90), "ETH": walk(chance, FIRST_TO_END)})
    one.record(sorted([*chasing(90), *flips(chance, FIRST_TO_END, ["ETH"], 80)]))
    one.reflect()

    taught = one.rows("SELECT DISTINCT asset FROM role_memory WHERE lesson IS NOT NULL")
    assert taught == [("SOL",)]


@pytest.mark.parametrize("seed", range(2))
def test_one_by_one_gives_the_bytes_of_all_at_once(world, seed):
    chance = Random(seed)
    closes = {"SOL": waves(60), "ETH": walk(chance, len(waves(60)))}
    calls = sorted([*chasing(60), *flips(chance, len(closes["ETH"]), ["SOL", "ETH"], 25)])
    at_once, single = world(closes), world(closes)
    at_once.record(calls)
    at_once.reflect()
    for call in calls:
        single.record([call])
        single.reflect()

    assert at_once.rows(LESSONS)
    for query in (DECISIONS, OUTCOMES, EVIDENCE, PATTERNS):
        assert at_once.rows(query) == single.rows(query)


@pytest.mark.parametrize("seed", range(2))
def test_what_a_judge_saw_is_the_same_where_the_world_ended_then(world, seed):
    """Truncation: without later decisions and later prices the evidence has the same digest."""
    chance = Random(seed)
    closes = {"SOL": waves(60), "ETH": walk(chance, len(waves(60)))}
    calls = sorted([*chasing(60), *flips(chance, len(closes["ETH"]), ["SOL", "ETH"], 25)])
    whole = world(closes)
    whole.record(calls)
    whole.reflect()
    seen = dict(whole.rows("SELECT id, evidence_hash FROM role_memory WHERE outcome = 'wrong'"))

    for number in chance.sample(sorted(seen), 5):
        due = calls[number - 1].hour + 24
        short = world({asset: prices[: due + 1] for asset, prices in closes.items()})
        short.record(calls[:number])
        short.reflect()
        found = short.rows(f"SELECT evidence_hash FROM role_memory WHERE id = {number}")
        assert found == [(seen[number],)]


def test_each_moment_in_what_a_judge_saw_is_of_its_time(world):
    one = world({"SOL": waves(60)})
    one.record(chasing(60))
    one.reflect()

    bodies = [json.loads(body) for (body,) in one.rows("SELECT body FROM judge_evidence")]
    assert len(bodies) == len(chasing(60))
    for body in bodies:
        decided_at = datetime.fromisoformat(body["decision"]["decided_at"])
        due = iso(decided_at + timedelta(hours=25))  # a day from the close after it
        known = {name: body[name] for name in ("decision", "known", "record", "lessons")}
        assert max(_moments(known)) <= iso(decided_at)
        assert max(_moments(body)) <= due


def _moments(value):
    return re.findall(r"\d{4}-\d\d-\d\dT[\d:.]+Z", json.dumps(value))
