"""A chain stays as long as its rows need, and what it tells stays the same."""

from contextlib import closing

import pytest

from afterword.pipeline.core.store import reading, run_sql, writing
from afterword.pipeline.core.store.chain.anchors import anchor
from afterword.pipeline.core.store.chain.blocks import block_bytes
from afterword.pipeline.core.store.chain.shorten import shorten_chain
from afterword.pipeline.core.store.chain.verify import accept_rows, check_chain
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.user_profile import set_profile_value
from afterword.pipeline.domain.memory.write import write_memories

LESSONS = 40


@pytest.fixture
def shorten(stores, clock):
    """Anchor and fold the chain of `main` whatever its length; return whether it was folded."""

    def run() -> bool:
        group = stores.group("main")
        anchor(stores.instance, group, "scheduled", clock())
        return shorten_chain(stores.instance, group, clock(), shortest_bytes=0)

    return run


@pytest.fixture
def lived(store, owner, clock):
    """A group with lessons, and a row that was written often."""
    write_memories(owner, [NewMemory("lesson", f"{place}: cut losers") for place in range(LESSONS)])
    set_profile_value(owner, "risk", "low")
    for place in range(300):
        clock.advance(minutes=1)
        _write(store, f"low, {place}")
    return store


def _write(store, value):
    """Write one row again, as the verbs do."""
    with writing(store) as conn:
        run_sql(conn, "UPDATE user_profile SET value = ? WHERE id = 1", (value,))


def _checked(stores, clock):
    return check_chain(stores.instance, stores.group("main"), clock())


def _edit(store, *statements):
    store.close()
    with closing(dbapi.connect(str(store.path))) as conn, conn:
        for statement in statements:
            conn.execute(statement)


def _sizes(store):
    with reading(store) as conn:
        return block_bytes(conn.connection.dbapi_connection)


def test_a_folded_chain_holds_one_digest_for_each_row(lived, stores, clock, shorten):
    before, was = _checked(stores, clock), sum(_sizes(lived))
    assert shorten()
    folded, later = _sizes(lived)

    after = _checked(stores, clock)
    assert (after.edits, after.rows, after.head, after.since) == (
        (),
        before.rows,
        before.head,
        before.since,
    )
    assert later == 0 and folded < 40 * after.rows < was


def test_a_chain_does_not_grow_with_the_writes(lived, stores, clock, shorten):
    sizes = []
    for _round in range(4):
        for place in range(50):
            _write(lived, f"{clock.advance(minutes=1)} {place}")
        shorten()
        sizes.append(sum(_sizes(lived)) / _checked(stores, clock).rows)

    assert max(sizes) < 80, "bytes for each row"
    assert not _checked(stores, clock).edits


EDITS = {
    "changed": "UPDATE memories SET content = 'buy more' WHERE id = 2",
    "removed": "DELETE FROM memories WHERE id = 3",
    "added": "INSERT INTO user_profile (key, value, updated_at) VALUES ('x', 'y', 1)",
}


@pytest.mark.parametrize("what", EDITS)
@pytest.mark.parametrize("is_before", [True, False])
def test_an_edit_is_named_whether_it_came_before_or_after(
    lived, stores, clock, shorten, what, is_before
):
    steps = [lambda: _edit(lived, EDITS[what]), shorten]
    for step in steps if is_before else reversed(steps):
        step()

    (edit,) = _checked(stores, clock).edits
    assert edit.what == what


def test_an_edit_that_a_write_met_keeps_all_blocks_until_it_is_accepted(
    lived, stores, clock, shorten
):
    _edit(lived, "UPDATE user_profile SET value = 'high' WHERE id = 1")
    _write(lived, "middle")

    assert not shorten()
    assert [edit.what for edit in _checked(stores, clock).edits] == ["changed"]
    accept_rows(stores.instance, stores.group("main"), clock())
    assert shorten()
    assert not _checked(stores, clock).edits


def test_an_older_copy_is_not_folded(lived, stores, clock, shorten):
    lived.close()
    older = lived.path.read_bytes()
    _write(lived, "newest")
    anchor(stores.instance, stores.group("main"), "scheduled", clock())
    lived.close()
    lived.path.write_bytes(older)
    for place in range(3):
        _write(lived, f"written on {place}")

    assert not shorten()
    assert [edit.what for edit in _checked(stores, clock).edits] == ["older copy"]


def test_an_older_copy_with_all_its_blocks_is_named(lived, stores, clock, shorten):
    lived.close()
    older = lived.path.read_bytes()
    _write(lived, "newest")
    assert shorten()
    lived.close()
    lived.path.write_bytes(older)

    assert [edit.what for edit in _checked(stores, clock).edits] == ["older copy"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chain_blocks SET entries = substr(entries, 1, 60) WHERE kind = 'folded'",
        "UPDATE chain_blocks SET at = at + 1 WHERE kind = 'folded'",
        "UPDATE chain_blocks SET seal = zeroblob(32) WHERE kind = 'folded'",
        "UPDATE chain_blocks SET layout = replace(layout, 'memories', 'x') WHERE kind = 'folded'",
        "DELETE FROM chain_blocks WHERE kind = 'folded'",
    ],
)
def test_an_edit_of_a_folded_block_is_found(lived, stores, clock, shorten, statement):
    assert shorten()
    _write(lived, "after")
    _edit(lived, statement)

    assert _checked(stores, clock).edits


def test_a_short_chain_is_left_alone(lived, stores, clock):
    blocks = "SELECT count(*) FROM chain_blocks"
    with reading(lived) as conn:
        was = run_sql(conn, blocks).fetchone()
    assert not shorten_chain(stores.instance, lived, clock())
    with reading(lived) as conn:
        assert run_sql(conn, blocks).fetchone() == was
