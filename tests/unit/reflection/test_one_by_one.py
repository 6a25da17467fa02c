"""Recorded and judged in one batch, in parts, one by one, or as it ripens: the same bytes.

Among the decisions: some whose market has no price, some whose lesson is that data were missing,
and some whose windows end later.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.outcomes.evidence import FileSnapshots, PostHoc, Snapshot
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import HOUR
from tests.unit.reflection.worlds import Call, World, chasing, flips, role_with_prices, walk, waves

DAYS = 60
HOURS = len(waves(DAYS))

OUTCOMES = "subject_kind, subject_id, window_hours, rule_version"
NEWEST = "WHERE superseded_at IS NULL"
MOMENTS = frozenset({"known_at", "state_at", "classified_at", "reflected_at", "retry_at"})
"""Columns that say when something was done; they differ where it was done at another moment."""


@pytest.fixture
def world(tmp_path):
    """Return worlds of a seed, with news that nobody reads: of ETH always, of SOL now and then."""
    made = []

    def of(seed: int) -> tuple[World, list[Call]]:
        chance, folder = Random(seed), tmp_path / str(len(made))
        folder.mkdir()
        closes = {asset: walk(chance, HOURS) for asset in ("ETH", "AAPL")} | {"SOL": waves(DAYS)}
        calls = [*chasing(DAYS), *flips(chance, HOURS, list(closes), 30)]
        calls += flips(chance, HOURS, ["ETH"], 40)
        calls += flips(chance, HOURS, ["XRP"], 4)  # of which nobody has a price
        role = role_with_prices()
        policy = role.reflection_policy
        policy = replace(policy, post_hoc_probes=(*policy.post_hoc_probes, Snapshot("news")))
        news = folder / "news.jsonl"
        told = [(hour, "SOL") for hour in range(192, HOURS, 96)]
        told += [(hour, "ETH") for hour in range(192, HOURS, 12)]
        lines = [
            {"known_at": iso(ManualClock()() + hour * HOUR), "asset": asset, "text": f"n{hour}"}
            for hour, asset in told
        ]
        news.write_text("\n".join(map(json.dumps, lines)))
        sources = PostHoc(snapshots={"news": FileSnapshots("news", news)})
        role = replace(role, reflection_policy=policy)
        made.append(World(folder / "home", closes, role, sources))
        return made[-1], sorted(calls)

    yield of
    for one in made:
        one.stores.close()


def in_parts(one: World, calls: list[Call], sizes: Callable[[], int]) -> None:
    """Record and judge calls, some at a time."""
    left = calls
    while left:
        size = sizes()
        one.record(left[:size])
        one.reflect()
        one.measure()
        left = left[size:]
    one.reflect()


def stored(one: World, *, without: frozenset[str] = frozenset()) -> dict[str, list]:
    """Return the rows of all tables that hold what was judged; of patterns the current texts.

    Args:
        without: columns that are left out.
    """
    tables = {
        "role_memory": ("", "id"),
        "outcomes": ("", OUTCOMES),
        "judge_evidence": ("", "hash"),
        "role_patterns": (NEWEST, "role_id, asset_class, direction, trend, side"),
    }
    found = {}
    for table, (which, order) in tables.items():
        columns = [
            str(name) for (name,) in one.rows(f"SELECT name FROM pragma_table_info('{table}')")
        ]
        if table != "role_memory":
            columns.remove("id")  # the order in which rows were written
        names = ", ".join(name for name in columns if name not in without)
        found[table] = one.rows(f"SELECT {names} FROM {table} {which} ORDER BY {order}")
    return found


@pytest.mark.parametrize("seed", range(2))
def test_one_by_one_and_in_parts_give_the_bytes_of_all_at_once(world, seed):
    at_once, calls = world(seed)
    single, parts = world(seed)[0], world(seed)[0]
    chance = Random(seed)
    in_parts(at_once, calls, lambda: len(calls))
    in_parts(single, calls, lambda: 1)
    in_parts(parts, calls, lambda: chance.randrange(1, 12))

    whole = stored(at_once)
    words = dict(at_once.rows("SELECT rule_class, count(*) FROM role_memory GROUP BY 1"))
    assert min(words["missing_data"], words["logic_error"]) >= 2
    assert at_once.rows("SELECT DISTINCT reason FROM role_memory WHERE state = 'parked'")
    ended = at_once.rows(
        "SELECT DISTINCT lesson_superseded_at IS NULL FROM role_memory "
        "WHERE lesson IS NOT NULL AND asset = 'ETH'"
    )
    assert len(ended) == 2
    for one in (single, parts):
        found = stored(one)
        for table in whole:
            assert found[table] == whole[table], table


@pytest.mark.parametrize("seed", range(2))
def test_as_it_ripens_gives_the_bytes_of_all_at_once_but_for_the_moments(world, seed):
    """Looked at every few days for two months; the prices of AAPL come long after its decisions."""
    at_once, calls = world(seed)
    end = at_once.clock()
    in_parts(at_once, calls, lambda: len(calls))
    live, _ = world(seed)
    live.clock.set(live.start)
    live.prices = live.prices_of(["SOL", "ETH"])
    for hour in range(240, HOURS, 90):
        live.live_to(hour, calls)
    waiting = "SELECT count(*) FROM role_memory WHERE state = 'parked'"
    assert live.rows(waiting) > at_once.rows(waiting)
    live.prices = at_once.prices
    live.clock.set(end)
    in_parts(live, [one for one in calls if one.hour > hour], lambda: len(calls))

    ends = "SELECT id, lesson_superseded_at IS NULL FROM role_memory ORDER BY id"
    assert live.rows(ends) == at_once.rows(ends)
    without = MOMENTS | {"lesson_superseded_at", "measure_at"}
    found, whole = stored(live, without=without), stored(at_once, without=without)
    for table in whole:
        assert found[table] == whole[table], table
