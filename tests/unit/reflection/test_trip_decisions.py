"""Decisions made from trips are judged like all others, and count for none before their import."""

from datetime import timedelta
from decimal import Decimal

import pytest

from afterword.pipeline.domain.decisions.from_trips import record_trips
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.ids import seeded_uids
from tests.unit.reflection.worlds import FIRST, ROLE, Call, World, chasing, waves

HOUR = timedelta(hours=1)
DAYS = 120
IMPORT_AT = FIRST + 24 * 90


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path / "home", {"SOL": waves(DAYS)})
    made.clock.set(made.start + IMPORT_AT * HOUR)
    yield made
    made.stores.close()


def traded(world: World, calls: list[Call]) -> list[Trip]:
    return [
        Trip(
            trip_uid=f"trip-{one.hour}",
            venue="hyperliquid",
            account="main",
            symbol=one.asset,
            kind="perp",
            direction="long",
            quote="USDC",
            opened_at=world.moment_of(one),
            closed_at=world.moment_of(one) + HOUR,
            entry_px=Decimal(100),
            exit_px=Decimal(99),
            size=Decimal(1),
            multiplier=Decimal(1),
            notional=Decimal(100),
            gross=Decimal(-1),
            fees=Decimal(0),
            other_fees=(),
            funding=None,
            net=Decimal(-1),
            fills=2,
            losing_adds=0,
            is_incomplete=False,
            is_liquidated=False,
            flags=(),
        )
        for one in calls
    ]


def test_their_record_confirms_a_pattern_and_is_no_error_of_what_came_before(world):
    calls = chasing(DAYS)
    past = [one for one in calls if one.hour < IMPORT_AT - 48]
    told = [one for one in past if one.hour > IMPORT_AT - 240]
    future = [one for one in calls if IMPORT_AT + 48 < one.hour < FIRST + 24 * (DAYS - 3)]
    world.record(told)  # the agent's own decisions, made before the import
    trips = traded(world, past)
    ids = seeded_uids(3)
    record_trips(world.store, world.registry, ROLE, trips, world.clock, ids, weigh_later)
    world.reflect()
    weigh_patterns(world.store, list(world.registry), world.clock())

    classes = world.rows(
        "SELECT from_trip_uid IS NOT NULL, rule_class, count(*) FROM role_memory GROUP BY 1, 2"
    )
    assert {word for _is_trip, word, _count in classes} <= {"variance", "exogenous"}
    assert sum(count for is_trip, _word, count in classes if is_trip) == len(past) >= 40
    confirmed = "SELECT side FROM role_patterns WHERE state = 'confirmed'"
    assert world.rows(confirmed) == [("failing",)]

    world.clock.set(world.start + (FIRST + 24 * DAYS + 1) * HOUR)
    world.record(future)  # who decides now could know
    world.reflect()
    after = "SELECT rule_class FROM role_memory ORDER BY id DESC LIMIT ?"
    assert {word for (word,) in world.rows(after.replace("?", str(len(future))))} == {"logic_error"}
