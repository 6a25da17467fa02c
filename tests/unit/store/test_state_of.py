"""A write by anybody changes the state of a store, and reading does not."""

from afterword.pipeline.core.store import reading, state_of, writing

WRITE = "INSERT INTO decision_contexts (hash, body, known_at) VALUES (?, '{}', 1)"


def test_own_writes_and_those_of_others_change_it(store):
    with reading(store) as conn:
        first = state_of(conn)
        assert state_of(conn) == first
    with writing(store) as conn:
        before = state_of(conn)
        conn.exec_driver_sql(WRITE, ("a" * 64,))
        assert state_of(conn) != before
    with reading(store) as conn:
        assert state_of(conn) != first


def test_a_read_that_is_open_sees_no_later_write(store):
    with reading(store) as conn:
        first = state_of(conn)
        conn.exec_driver_sql("SELECT count(*) FROM decision_contexts").all()
        with writing(store) as other:
            other.exec_driver_sql(WRITE, ("b" * 64,))
        assert conn.exec_driver_sql("SELECT count(*) FROM decision_contexts").all() == [(0,)]
        assert state_of(conn) == first
