"""Many verbs in one transaction: all of it is kept, or nothing, whoever caught an error."""

import threading
from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from afterword.pipeline.core.store import (
    Store,
    StoreOptions,
    Stores,
    one_transaction,
    reading,
    writing,
)
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.errors import ConflictError, UnavailableError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.clock import ManualClock

INSERT = "INSERT INTO paused_kinds VALUES (?, 0, '')"


class Ends:
    """A finisher that notes its end in the transaction, or refuses it."""

    def __init__(self, name: str, error: Exception | None = None) -> None:
        self.name, self.error = name, error

    def finish(self, conn: Connection) -> None:
        if self.error is not None:
            raise self.error
        conn.exec_driver_sql(INSERT, (self.name,))


def note(store: Store, name: str, finishing: Ends | None = None) -> None:
    with writing(store, finishing) as conn:
        conn.exec_driver_sql(INSERT, (name,))


def notes(store: Store) -> list[str]:
    with reading(store) as conn:
        return list(conn.exec_driver_sql("SELECT kind FROM paused_kinds ORDER BY 1").scalars())


def elsewhere(do: Callable[[], object]) -> list[object]:
    """Return the result of a call in another thread, or its error."""
    found: list[object] = []

    def run() -> None:
        try:
            found.append(do())
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found


def test_verbs_join_one_transaction_and_see_what_was_written_before(store: Store):
    with one_transaction(store) as conn:
        note(store, "a")
        conn.exec_driver_sql(INSERT, ("b",))
        with writing(store) as inner, reading(store) as seen:
            assert inner is seen is conn
            note(store, "c")
        assert notes(store) == ["a", "b", "c"]
        assert elsewhere(lambda: notes(store)) == [[]]  # nothing is committed yet

    assert notes(store) == ["a", "b", "c"]
    assert elsewhere(lambda: notes(store)) == [["a", "b", "c"]]


def test_a_finisher_ends_where_its_write_ends(store: Store):
    with one_transaction(store, Ends("slice")):
        note(store, "a", Ends("job"))
        assert notes(store) == ["a", "job"]

    assert notes(store) == ["a", "job", "slice"]


@pytest.mark.parametrize("fails_at", ["inside", "job", "slice", "outside"])
def test_an_error_anywhere_leaves_nothing(store: Store, fails_at: str):
    def end(name: str) -> Ends:
        return Ends(name, KeyError(name) if name == fails_at else None)

    with pytest.raises(KeyError, match=fails_at), one_transaction(store, end("slice")):
        note(store, "a", end("job"))
        with writing(store) as conn:
            conn.exec_driver_sql(INSERT, ("b",))
            if fails_at == "inside":
                raise KeyError(fails_at)
        if fails_at == "outside":
            raise KeyError(fails_at)

    assert notes(store) == []
    note(store, "c")  # the store works on
    assert notes(store) == ["c"]


def test_an_error_of_a_write_that_is_caught_is_raised_at_the_end(store: Store):
    def half() -> None:
        with writing(store) as conn:
            conn.exec_driver_sql(INSERT, ("half",))
            raise KeyError("first")

    with pytest.raises(KeyError, match="first"), one_transaction(store):
        note(store, "a")
        with suppress(KeyError):
            half()
    assert notes(store) == []

    with pytest.raises(KeyError, match="first"), one_transaction(store):
        with suppress(KeyError):
            half()
        for use in (notes, lambda one: note(one, "later")):
            with pytest.raises(KeyError, match="first"):
                use(store)
    assert notes(store) == []


def test_an_error_of_the_caller_in_a_read_harms_nothing(store: Store):
    with one_transaction(store):
        note(store, "a")
        with pytest.raises(KeyError), reading(store):
            raise KeyError
        note(store, "b")

    assert notes(store) == ["a", "b"]


def test_an_error_of_sqlite_in_a_read_rolls_everything_back(store: Store):
    with pytest.raises(UnavailableError, match="full"), one_transaction(store):
        note(store, "a")
        with pytest.raises(UnavailableError, match="full"), reading(store):
            raise dbapi.OperationalError("database or disk is full")
        with pytest.raises(UnavailableError, match="full"):
            note(store, "b")

    assert notes(store) == []
    note(store, "c")
    assert notes(store) == ["c"]


def test_errors_are_those_of_a_write_of_its_own(store: Store):
    with pytest.raises(IntegrityError), one_transaction(store):
        note(store, "a")
        note(store, "a")
    with pytest.raises(UnavailableError, match="disk is full"), one_transaction(store):
        with writing(store):
            raise dbapi.OperationalError("database or disk is full")

    assert notes(store) == []


def test_the_writer_is_opened_again_after_an_error_of_the_disk(store: Store):
    before = store.writer()
    with pytest.raises(UnavailableError), one_transaction(store), writing(store):
        raise dbapi.OperationalError("disk I/O error")

    assert store.writer() is not before


def test_other_threads_wait_with_their_writes(home, clock: ManualClock, ids: IdSource):
    stores = Stores(home, StoreOptions(busy_timeout_s=0.1), clock, ids)
    store = stores.group("main", create=True)
    with one_transaction(store):
        note(store, "a")
        (found,) = elsewhere(lambda: note(store, "theirs"))
        assert isinstance(found, UnavailableError)
        (found,) = elsewhere(lambda: one_transaction(store).__enter__())
        assert isinstance(found, UnavailableError)
    assert elsewhere(lambda: note(store, "theirs")) == [None]

    assert notes(store) == ["a", "theirs"]
    stores.close()


def test_it_joins_its_own_store_only(stores: Stores, store: Store):
    other = stores.replay("past", create=True)
    with pytest.raises(KeyError), one_transaction(store):
        note(store, "a")
        note(other, "b")
        raise KeyError

    assert (notes(store), notes(other)) == ([], ["b"])


def test_without_it_a_nested_write_is_refused_as_ever(store: Store):
    for outer, inner in (
        (writing, writing),
        (writing, one_transaction),
        (one_transaction, one_transaction),
    ):
        with outer(store), pytest.raises(ConflictError, match="already open"), inner(store):
            pass
    with one_transaction(store):
        pass
    with writing(store), pytest.raises(ConflictError), writing(store):
        pass


def test_the_handles_stay_open_while_it_is_open(stores: Stores, store: Store):
    with one_transaction(store):
        note(store, "a")
        assert not store.close()
        stores.discard("main")
        note(store, "b")

    assert notes(stores.group("main")) == ["a", "b"]
    assert store.close()
