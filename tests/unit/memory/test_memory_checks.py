"""What may not be remembered is refused by the name of its field, before anything is written."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.memory.checks import check_memory, is_storable
from afterword.pipeline.domain.memory.json_object import object_text
from afterword.pipeline.domain.memory.model import (
    MEMORY_CATEGORIES,
    OWNER_SOURCES,
    TYPES,
    NewMemory,
)
from afterword.pipeline.errors import InvalidInputError


def new(**fields: Any) -> NewMemory:
    return NewMemory(**{"category": "observation", "content": "avoids meme coins"} | fields)


def refused(new: NewMemory) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        check_memory(new, "agent")
    assert "\n" not in str(caught.value)
    return caught.value


def test_every_category_is_accepted_and_another_one_is_answered_with_the_list():
    for category in MEMORY_CATEGORIES:
        check_memory(new(category=category), "agent", as_fact=category == "fact")

    error = refused(new(category="diary"))

    assert error.field == "category"
    assert error.accepted == ", ".join(MEMORY_CATEGORIES)


@pytest.mark.parametrize("actor", ["agent", "owner", "system"])
def test_a_plain_fact_belongs_to_the_fact_layer_whoever_writes_it(actor):
    with pytest.raises(InvalidInputError) as caught:
        check_memory(new(category="fact"), actor)
    error = caught.value

    assert error.field == "category"
    assert "`afterword fact record TEXT`" in error.accepted


def test_a_typed_entry_has_its_type_as_category():
    for kind in TYPES:
        check_memory(new(category=kind, type=kind), "agent")

    assert refused(new(category="observation", type="fact")).field == "category"
    assert refused(new(category="lesson", type="lesson")).field == "type"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", ""),
        ("content", " \n\t\u3000"),
        ("content", "\u200b \u202e"),
        ("content", "a\0b"),
        ("content", "half a pair: \ud800"),
        ("content", "x" * 100_001),
        ("content", "x" * 2_000_000),
        ("content", b"bytes"),
        ("content", None),
        ("category", "Preference"),
        ("category", None),
        ("category", ["preference"]),
        ("type", ""),
        ("source", "user_turn"),
        ("origin", "nowhere"),
        ("origin", None),
        ("tags", "btc"),
        ("tags", {"btc"}),
        ("tags", ["t"] * 11),
        ("session_id", ""),
        ("session_id", "s" * 201),
        ("session_id", 7),
        ("scenario_id", "\0"),
        ("occurred_at", datetime(2026, 1, 5)),  # noqa: DTZ001 - the point of the case
        ("occurred_at", "2026-01-05T00:00:00Z"),
    ],
)
def test_a_refusal_names_its_field(field: str, value: object):
    assert refused(new(**{field: value})).field == field


@pytest.mark.parametrize("tag", ["", " ", "t" * 51, "\ud800", 7])
def test_a_refused_tag_is_named_by_its_place(tag: object):
    assert refused(new(tags=["btc", tag])).field == "tags[1]"


def test_the_bounds_themselves_are_accepted():
    check_memory(new(content="x" * 100_000, tags=["t" * 50] * 10), "agent")
    check_memory(new(category="fact", type="fact", content="x" * 2_000), "agent")
    check_memory(new(occurred_at=datetime(1990, 1, 1, tzinfo=UTC)), "agent")

    assert refused(new(category="fact", type="fact", content="x" * 2_001)).field == "content"


def test_only_the_owner_speaks_for_the_owner():
    for source in OWNER_SOURCES:
        assert refused(new(source=source)).field == "source"
        check_memory(new(source=source, origin="owner"), "owner")
        with pytest.raises(InvalidInputError, match="source"):
            check_memory(new(source=source), "system")
    assert refused(new(origin="owner")).field == "origin"
    check_memory(new(origin="owner"), "system")  # derived from what the owner said
    check_memory(new(source="agent_recorded"), "agent")


@given(st.text(st.characters(), max_size=20))
def test_a_storable_text_survives_utf8_and_holds_no_nul(text: str):
    survives = text.encode("utf-8", "replace").decode() == text

    assert is_storable(text) == (survives and "\0" not in text)


CIRCULAR: dict[str, Any] = {}
CIRCULAR["itself"] = CIRCULAR
SHARED: list[Any] = []
for _ in range(7):
    SHARED = [SHARED] * 30
DEEP: dict[str, Any] = {}
for _ in range(5_000):
    DEEP = {"deeper": DEEP}


@pytest.mark.parametrize(
    "value",
    [
        None,
        "{}",
        ["a list"],
        {"not a number": float("nan")},
        {"endless": float("inf")},
        {1: "a number as key"},
        {"bytes": b""},
        {"when": datetime(2026, 1, 5, tzinfo=UTC)},
        {"inside": [{"a set": {1}}]},
        {"nul": "a\0b"},
        {"half a pair": "\ud800"},
        {"\ud800": "half a pair"},
        {"huge": 10**5_000},
        {"long": "x" * 16_000},
        {"many": [0] * 20_000},
        DEEP,
        CIRCULAR,
        {"shared": SHARED},
    ],
    ids=lambda value: type(value).__name__ + str(list(value)[:1] if value else ""),
)
def test_what_json_cannot_say_or_should_not_carry_is_refused(value: object):
    with pytest.raises(InvalidInputError) as caught:
        object_text(value, "metadata")
    assert caught.value.field == "metadata"
