"""Round trips become decisions of a role: once, without a method, known from the import on."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy.exc import IntegrityError

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.from_trips import record_trips
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import role_of, skill_of

HOUR = timedelta(hours=1)
ROLE = "desk.calls"
REGISTRY = RoleRegistry([skill_of(role_of(), role_of("desk.other"))])
OPENED = ManualClock()() - 1_000 * HOUR
TRIP = Trip(
    trip_uid="t1",
    venue="binance",
    account="main",
    symbol="SOLUSDT",
    kind="perp",
    direction="short",
    quote="USDT",
    opened_at=OPENED,
    closed_at=OPENED + 5 * HOUR,
    entry_px=Decimal("150.25"),
    exit_px=Decimal("160"),
    size=Decimal("2.5"),
    multiplier=Decimal(10),
    notional=Decimal("3756.25"),
    gross=Decimal("-243.75"),
    fees=Decimal(2),
    other_fees=(),
    funding=None,
    net=Decimal("-245.75"),
    fills=2,
    losing_adds=0,
    is_incomplete=False,
    is_liquidated=False,
    flags=(),
)


@pytest.fixture
def record(store, clock, ids):
    def these(*trips: Trip, role=ROLE, **options):
        return record_trips(store, REGISTRY, role, trips, clock, ids, weigh_later, **options)

    return these


def test_a_trip_is_a_decision_of_its_opening_known_from_now_on(store, clock, record):
    done = record(TRIP)
    (one,) = list_decisions(store)

    assert (done.recorded, done.known, done.left_out) == (1, 0, {})
    assert (one.decided_at, one.known_at) == (OPENED, clock())
    assert (one.asset_key, one.direction, one.origin) == ("SOL", "short", "import")
    assert (one.from_trip_uid, one.methods, one.hint_hash) == ("t1", (), None)
    assert one.size_usd == Decimal("3756.25")
    assert one.inputs["entry_price"] == "150.25" and one.inputs["units"] == "25"
    assert list_decisions(store, as_of=clock() - HOUR) == []  # nobody knew it before the import


def test_nothing_of_how_it_ended_is_told_to_a_judge(store, record):
    record(TRIP)
    (one,) = list_decisions(store)
    told = f"{one.decision} {dict(one.inputs)}"
    assert "150.25" in told
    assert not [word for word in ("160", "243", "245", "net", "closed") if word in told]


def test_a_second_run_records_nothing_new_and_each_role_has_its_own(store, record):
    record(TRIP)
    again = record(TRIP, replace(TRIP, trip_uid="t2", opened_at=OPENED + HOUR))
    other = record(TRIP, role="desk.other")
    assert (again.recorded, again.known, other.recorded) == (1, 1, 1)
    assert len(list_decisions(store, ROLE)) == 2


def current(store):
    """Return the decisions that no source corrected, by trip."""
    return {it.from_trip_uid: it for it in list_decisions(store) if it.corrected_at is None}


def test_what_a_trip_says_later_takes_the_place_of_its_decision(store, record):
    record(TRIP, replace(TRIP, trip_uid="t2"))
    before = current(store)
    changed = replace(TRIP, entry_px=Decimal(151))

    done = record(changed, replace(TRIP, trip_uid="t2", net=Decimal(1)))
    assert (done.recorded, done.known) == (0, 1)  # another result is not another decision
    assert (done.changed, done.gone) == ((before["t1"].uid,), ())
    after = current(store)
    assert after["t1"].inputs["entry_price"] == "151" and after["t2"] == before["t2"]
    old = show_decision(store, before["t1"].uid).decision
    assert (old.superseded_by, old.decision) == (after["t1"].id, before["t1"].decision)
    assert record(changed, replace(TRIP, trip_uid="t2")).changed == ()
    assert record(TRIP).changed == (after["t1"].uid,)  # and back again


def test_the_decision_of_a_trip_that_is_gone_or_incomplete_counts_no_more(store, record):
    record(TRIP, replace(TRIP, trip_uid="t2"), replace(TRIP, trip_uid="t3"))
    before = current(store)

    done = record(TRIP, replace(TRIP, trip_uid="t2", is_incomplete=True))
    assert (done.changed, done.gone) == ((before["t2"].uid,), (before["t3"].uid,))
    assert set(current(store)) == {"t1"}
    again = record(TRIP, replace(TRIP, trip_uid="t2"), replace(TRIP, trip_uid="t3"))
    assert (again.recorded, again.known, set(current(store))) == (2, 1, {"t1", "t2", "t3"})


def test_a_correction_has_the_patterns_of_its_role_weighed_again(store, record):
    record(TRIP)
    record()
    with reading(store) as conn:
        kinds = conn.exec_driver_sql("SELECT kind, payload ->> 'role' FROM jobs").all()
    assert ("weigh_patterns", ROLE) in kinds


def test_whoever_replaces_the_decision_of_a_trip_is_no_source(store, clock, ids, record):
    record(TRIP)
    (of_trip,) = list_decisions(store)
    new = NewDecision(ROLE, "Not me", asset="SOL", direction="long", supersedes=of_trip.uid)
    record_decision(store, REGISTRY, new, clock, ids)
    replaced = show_decision(store, of_trip.uid).decision
    assert (replaced.superseded_at, replaced.corrected_at) == (clock(), None)

    record()  # its trip is gone: now it is corrected, and stays replaced
    corrected = show_decision(store, of_trip.uid).decision
    assert corrected.corrected_at == clock()
    assert corrected.superseded_by == replaced.superseded_by


def test_trips_without_a_sure_entry_are_left_out_and_counted(store, clock, record):
    done = record(
        replace(TRIP, is_incomplete=True),
        replace(TRIP, trip_uid="t2", opened_at=None),
        replace(TRIP, trip_uid="t3", entry_px=None),
        replace(TRIP, trip_uid="t4", symbol="SOLBTC", quote="BTC"),
        replace(TRIP, trip_uid="t5", opened_at=clock() + HOUR),
        replace(TRIP, trip_uid="t6", symbol="EURJPY", quote="JPY"),
    )
    assert done.left_out == {
        "incomplete": 1,
        "no entry": 2,
        "quoted in a coin": 1,
        "still to come": 1,
    }
    (one,) = list_decisions(store)
    assert (one.from_trip_uid, one.size_usd) == ("t6", None)  # yen are not dollars


def test_account_and_since_choose_and_nothing_chosen_out_is_gone(store, record):
    late = replace(TRIP, trip_uid="t2", account="other", opened_at=OPENED + HOUR)
    assert record(TRIP, late, account="other").recorded == 1
    assert record(TRIP, late, since=OPENED + HOUR).known == 1
    done = record(TRIP, late, account="main")
    assert (done.recorded, done.known, done.changed, done.gone) == (1, 0, (), ())


def test_the_schema_refuses_a_method_a_hint_and_a_change_of_origin(store, record):
    record(TRIP)
    for change in ("methods = '[\"m\"]'", "hint_hash = '" + "0" * 64 + "'", "from_trip_uid = NULL"):
        with pytest.raises(IntegrityError), writing(store) as conn:
            conn.exec_driver_sql(f"UPDATE role_memory SET {change}")
    assert len(list_decisions(store)) == 1


def test_a_method_cannot_come_in_by_superseding_it(store, clock, ids, record):
    record(TRIP)
    (one,) = list_decisions(store)
    new = NewDecision(ROLE, "As planned", asset="SOL", direction="short", supersedes=one.uid)
    with pytest.raises(InvalidInputError, match="followed no method"):
        record_decision(store, REGISTRY, replace(new, methods=["m"]), clock, ids)
    record_decision(store, REGISTRY, new, clock, ids)


def test_a_role_that_nobody_declares_records_nothing(store, record):
    with pytest.raises(NotFoundError):
        record(TRIP, role="desk.nobody")
    assert list_decisions(store) == []


def test_a_secret_in_an_accounts_name_is_masked(store, record):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    record(replace(TRIP, account=secret))
    with reading(store) as conn:
        assert secret not in str(conn.exec_driver_sql("SELECT * FROM role_memory").all())
    assert record(replace(TRIP, account=secret)).known == 1
