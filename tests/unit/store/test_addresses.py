"""A message names a group or a replay, and the two are never taken for each other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading, writing
from afterword.pipeline.core.store.changes import Changes, ReplayWatch
from afterword.pipeline.core.store.names import checked_address, replay_at
from afterword.pipeline.errors import InvalidInputError, NotFoundError, UnavailableError
from afterword.pipeline.gateway.budget import Purpose
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock, ManualSeconds


@pytest.fixture
def other_stores(home: Path, clock: ManualClock, ids: IdSource) -> Iterator[Stores]:
    """The same home, as another process has it open."""
    other = Stores(home, StoreOptions(), clock, ids)
    yield other
    other.close()


@pytest.fixture
def past(stores: Stores) -> Store:
    return stores.replay("past", create=True)


def paused(store: Store, kind: str) -> None:
    with writing(store) as conn:
        conn.exec_driver_sql("INSERT INTO paused_kinds VALUES (?, 0, '')", (kind,))


def test_a_replay_and_a_group_of_one_name_have_two_addresses(stores: Stores, past: Store):
    group = stores.group("past", create=True)

    assert (group.address, past.address) == ("past", "replay:past")
    assert stores.at("past") is group
    assert stores.at("replay:past") is past
    assert (replay_at("past"), replay_at("replay:past")) == (None, "past")


@pytest.mark.parametrize(
    "address", ["replay:", "replay:../main", "replay:con", "replay:a:b", "a:b"]
)
def test_an_address_that_nothing_may_have_is_refused_before_a_path_is_made(
    stores: Stores, address: str
):
    for refuse in (stores.at, checked_address):
        with pytest.raises(InvalidInputError):
            refuse(address)


def test_an_address_without_a_file_makes_none(stores: Stores, store: Store):
    with pytest.raises(NotFoundError, match="'main' does not exist"):
        stores.at(f"replay:{store.name}")
    assert stores.replays() == []


def test_a_closed_replay_is_looked_at_without_opening_it(stores: Stores, past: Store):
    paused(past, "theirs")
    stores.close()
    folder = {path.name for path in past.path.parent.iterdir()}

    found = stores.look(
        "replay:past",
        lambda conn: conn.exec_driver_sql("SELECT kind FROM paused_kinds").scalar_one(),
    )
    assert found == "theirs"
    assert {path.name for path in past.path.parent.iterdir()} == folder


def test_a_discarded_replay_can_be_removed_by_another_process(
    stores: Stores, past: Store, other_stores: Stores
):
    paused(past, "theirs")
    with pytest.raises(UnavailableError, match="another process has"):
        other_stores.remove_replay("past")
    stores.discard("replay:past")
    other_stores.remove_replay("past")

    with pytest.raises(NotFoundError):
        stores.at("replay:past")


def test_a_replay_in_use_is_not_discarded(stores: Stores, past: Store):
    with reading(past):
        stores.discard("replay:past")
    assert stores.at("replay:past") is past


def test_what_a_replay_asks_is_not_paid_by_the_group_of_its_name():
    assert Purpose("experiment", "replay:past", "judge", "m").group == "replay:past"
    with pytest.raises(InvalidInputError):
        Purpose("experiment", "replay:../past", "judge", "m")


def test_a_watch_notices_each_commit_a_new_file_and_the_end_of_one(past: Store):
    seconds = ManualSeconds()
    watch = ReplayWatch(past.path, past.address, seconds)

    assert watch.scan() == Changes(changed=["replay:past"])
    assert watch.scan() == Changes()
    seconds.now += 1
    paused(past, "one")
    assert watch.scan(at_once=True) == Changes(changed=["replay:past"])
    assert watch.settles_at("replay:past") > seconds.now

    other = past.path.with_name("other")
    other.write_bytes(past.path.read_bytes())
    other.replace(past.path)
    assert watch.scan() == Changes(changed=["replay:past"], replaced=["replay:past"])
    past.path.unlink()
    assert watch.scan() == Changes(gone=["replay:past"])
