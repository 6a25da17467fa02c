"""Statements that the driver runs see the transaction that they are in."""

from afterword.pipeline.core.store import read_value, reading, run_sql, writing

INSERT = "INSERT INTO decision_contexts (hash, body, known_at) VALUES (:hash, '{}', 1)"
COUNT = "SELECT count(*) FROM decision_contexts WHERE hash = ?"
BODY = "SELECT body FROM decision_contexts WHERE hash = ?"
NAME = "a" * 64


def test_a_statement_takes_values_by_name_or_by_place_and_says_how_many_rows_it_changed(store):
    with writing(store) as conn:
        assert run_sql(conn, INSERT, {"hash": NAME}).rowcount == 1
        assert read_value(conn, COUNT, (NAME,)) == 1
    with reading(store) as conn:
        assert run_sql(conn, BODY, (NAME,)).fetchall() == [("{}",)]


def test_the_value_of_no_row_is_none(store):
    with reading(store) as conn:
        assert read_value(conn, BODY, (NAME,)) is None
