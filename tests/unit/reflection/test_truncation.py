"""What is stored at a moment is the same whether or not the world goes on after it.

Every column of every row: outcomes, decisions, what judges saw, patterns.
"""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.patterns.model import STORED_STATES
from afterword.pipeline.domain.patterns.read import current, summaries
from tests.unit.reflection.worlds import ROLE, World, chasing, flips, walk, waves

DAYS = 80
HOURS = len(waves(DAYS))
TABLES = ("outcomes", "role_memory", "judge_evidence", "role_patterns", "role_weighings")
JUDGED = """
SELECT id, state, outcome, measured, classification, rule_class, narrative, classified_by,
  classified_at, evidence_hash, lesson, lesson_by, reflected_at
FROM role_memory WHERE classified_at <= {now} ORDER BY id
"""


def a_world(folder: str, seed: int, last: int) -> tuple[World, list]:
    """Return a world whose prices end at an hour, and the calls of all its hours.

    Its clock stands at the beginning.
    """
    chance = Random(seed)
    closes = {"SOL": waves(DAYS), "ETH": walk(chance, HOURS), "BTC": walk(chance, HOURS)}
    calls = sorted([*chasing(DAYS), *flips(chance, HOURS, list(closes), 60)])
    one = World(Path(folder, "home"), {asset: made[:last] for asset, made in closes.items()})
    one.clock.set(one.start)
    return one, calls


def looks(seed: int, last: int) -> list[int]:
    """Return the hours at which a world is looked at, up to the last one."""
    chance = Random(seed)
    return sorted({*(chance.randrange(240, last) for _ in range(4)), last})


@settings(max_examples=4)
@given(seed=st.integers(0, 999), last=st.integers(300, HOURS - 24))
def test_prices_that_go_on_change_no_byte_of_what_was_stored(seed, last):
    stored = []
    for end in (last, HOURS):
        with TemporaryDirectory() as folder:
            one, calls = a_world(folder, seed, end)
            for hour in looks(seed, last):
                one.live_to(hour, calls)
            stored.append({table: one.rows(f"SELECT * FROM {table}") for table in TABLES})
            one.stores.close()

    ended, went_on = stored
    assert ended["outcomes"]
    for table in TABLES:
        assert ended[table] == went_on[table]


@pytest.mark.parametrize("seed", range(2))
def test_what_was_stored_at_a_moment_is_read_back_after_the_world_went_on(tmp_path, seed):
    one, calls = a_world(str(tmp_path), seed, HOURS)
    seen = []
    for hour in looks(seed, HOURS - 24):
        one.live_to(hour, calls)
        seen.append((one.clock(), _stored(one, one.clock())))

    assert any(patterns for _, (_, _, _, patterns, _) in seen)
    for moment, found in seen:
        assert _stored(one, moment) == found
    one.stores.close()


def _stored(one, moment):
    """Return what was stored by a moment, as it is read now."""
    now = to_micros(moment)
    outcomes = one.rows(f"SELECT * FROM outcomes WHERE known_at <= {now} ORDER BY id")
    evidence = one.rows(f"SELECT * FROM judge_evidence WHERE known_at <= {now} ORDER BY id")
    judged = one.rows(JUDGED.format(now=now))
    with reading(one.store) as conn:
        patterns = [
            (pattern.id, pattern.key, pattern.state, pattern.assets, pattern.numbers, pattern.text)
            for pattern in current(conn, [ROLE], STORED_STATES, moment)
        ]
        found = summaries(conn, one.registry.role(ROLE), as_of=moment)
        counted = [(summary.asset_class, summary.all, summary.cells) for summary in found]
    return outcomes, evidence, judged, patterns, counted
