"""The owner edits what the owner wrote by hand; the old words stay readable as of then."""

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.edit import edit_memory, is_editable
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError

BY_HAND = NewMemory(
    "personalization",
    "trades from Lisbon",
    {"asked": 1},
    source="user_manual",
    origin="owner",
    tags=["home"],
)


@pytest.fixture
def uid(owner) -> str:
    return write_memory(owner, BY_HAND).uid


def test_an_edit_takes_the_place_of_the_row_and_keeps_its_past(store, clock, uid, owner):
    before = get_memory(store, uid)
    clock.advance(days=1)
    edited = edit_memory(owner, uid, content="trades from Porto")

    (after,) = read_memories(store)
    assert (after.uid, after.content) == (edited.uid, "trades from Porto")
    assert (after.metadata, after.tags, after.source) == ({"asked": 1}, ("home",), "user_manual")
    assert after.updated_at == clock()
    assert get_memory(store, uid).superseded_by == after.id
    (then,) = read_memories(store, as_of=before.known_at)
    assert then.content == "trades from Lisbon"


def test_what_is_named_changes_and_the_rest_stays(store, uid, owner):
    edited = edit_memory(owner, uid, metadata={}, tags=[])
    after = get_memory(store, edited.uid)

    assert (after.content, after.metadata, after.tags) == ("trades from Lisbon", {}, ())


def test_two_editors_of_one_row_do_not_overwrite_each_other(store, uid, owner):
    edit_memory(owner, uid, content="trades from Porto")
    with pytest.raises(ConflictError, match="read what replaced it"):
        edit_memory(owner, uid, content="trades from Faro")

    assert [row.content for row in read_memories(store)] == ["trades from Porto"]


@pytest.mark.parametrize(
    ("new", "actor"),
    [
        (BY_HAND, "agent"),
        (BY_HAND, "system"),
        (NewMemory("personalization", "inferred", source="inferred"), "owner"),
        (NewMemory("preference", "x", type="preference", origin="owner"), "owner"),
        (NewMemory("lesson", "cut losers", source="user_manual"), "owner"),
    ],
)
def test_nothing_else_is_edited(store, clock, ids, new, actor, owner):
    uid = write_memory(owner, new).uid
    assert not is_editable(get_memory(store, uid), actor)
    with pytest.raises(InvalidInputError) as refused:
        edit_memory(Writer(store, clock, ids, actor), uid, content="y")
    assert refused.value.field == "memory"
    assert [row.content for row in read_memories(store)] == [new.content]


def test_a_bad_edit_leaves_everything_as_it_was(store, uid, owner):
    for change, field in (
        ({}, "content"),
        ({"content": " "}, "content"),
        ({"tags": ["t"] * 11}, "tags"),
        ({"metadata": {"at": float("inf")}}, "metadata"),
    ):
        with pytest.raises(InvalidInputError) as refused:
            edit_memory(owner, uid, **change)
        assert refused.value.field == field
    delete_memory(owner, uid)
    for name in (uid, "no such uid", 99):
        with pytest.raises(NotFoundError):
            edit_memory(owner, name, content="y")
    with reading(store) as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM memories").scalar_one() == 1


def test_a_refusal_says_what_can_be_done_instead(store, clock, ids, owner):
    for new, actor, instead in (
        (NewMemory("preference", "x", type="preference", origin="owner"), "owner", "--supersedes "),
        (NewMemory("lesson", "cut losers"), "owner", "a personalization you wrote by hand"),
        (BY_HAND, "agent", "an entry that supersedes it"),
    ):
        uid = write_memory(owner, new).uid
        with pytest.raises(InvalidInputError) as refused:
            edit_memory(Writer(store, clock, ids, actor), uid, content="y")
        assert instead in str(refused.value)
