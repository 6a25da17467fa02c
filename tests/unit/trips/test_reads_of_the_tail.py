"""What is open is read from the end of each market, however many trips there are."""

from afterword.pipeline.core.store import driver_cursor, reading
from afterword.pipeline.domain.trips import open_rows
from afterword.pipeline.domain.trips.day_rows import _INCOMPLETE, _ROUND_TRIPS, TripScope, _asked


def plan(store, statement, values):
    with reading(store) as conn:
        cursor = driver_cursor(conn)
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        return [detail for *_, detail in cursor.fetchall()]


def test_the_last_trip_of_a_market_is_found_from_its_newest_fill(store):
    known = {"at": None, "until": 0, "account": None}
    steps = plan(store, open_rows._TAILS, known)

    assert sum("round_trips_end (last_fill_id=?)" in step for step in steps) == 1, steps
    assert not any("SCAN t" in step or "SCAN round_trips" in step for step in steps), steps
    assert not any(step == "SCAN f" for step in steps), steps


def test_trips_with_missing_fills_are_found_without_the_others(store):
    statement, values = _asked(_INCOMPLETE, _ROUND_TRIPS, TripScope())
    steps = plan(store, statement, values)

    assert any("round_trips_flagged" in step for step in steps), steps
