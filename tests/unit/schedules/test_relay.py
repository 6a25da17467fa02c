"""The relay reads a group for the first time, and the schedule looks at its file with it."""

from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.testing.clock import ManualClock
from afterword.schedules.dispatcher.groups import GroupTracker
from afterword.schedules.dispatcher.relay import Relay
from afterword.workers.broker.broker import LedgerBroker, in_process


def noted(stores: Stores, clock: ManualClock, pause_s: float) -> list[str]:
    """Return which groups' work is noted in two steps of a relay, this long after their scan."""
    found: list[str] = []
    now = [0.0]
    groups = GroupTracker(stores, lambda: now[0])
    groups.scan()
    now[0] = pause_s
    relay = Relay(
        stores,
        groups,
        LedgerBroker(in_process(), "test", in_process=True),
        {},
        clock,
        lambda: now[0],
        note_work=lambda _conn, group: found.append(group.name),
    )
    relay.step({})
    relay.step({})
    return found


def test_the_first_read_of_a_group_notes_its_work(stores: Stores, store: Store, clock: ManualClock):
    stores.close()
    assert noted(stores, clock, pause_s=1.0) == [store.name]


def test_no_work_is_noted_while_a_commit_may_hide_behind_the_same_stamp(
    stores: Stores, store: Store, clock: ManualClock
):
    stores.close()
    assert noted(stores, clock, pause_s=0.0) == []
