"""Each source keeps its own value of a dimension; what the owner declared counts first."""

from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.declare import clear_tag, upsert_tag
from afterword.pipeline.domain.profile.tags import effective_tags, list_tags
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.testing.clock import ManualClock


def risk(store: Store, **given: object) -> tuple[str, str] | None:
    tag = effective_tags(list_tags(store, **given)).get("risk")
    return None if tag is None else (tag.value, tag.source)


def test_what_is_declared_counts_before_what_was_concluded(store, owner: Writer, system: Writer):
    upsert_tag(system, "risk", "aggressive", "inferred")
    upsert_tag(owner, "risk", "conservative")
    upsert_tag(system, "risk", "balanced", "learned_preference")

    assert risk(store) == ("conservative", "user")
    assert [tag.source for tag in list_tags(store)] == ["user", "learned_preference", "inferred"]


def test_cleared_the_concluded_value_counts_again(store, owner: Writer, system: Writer):
    upsert_tag(system, "risk", "aggressive", "inferred")
    upsert_tag(owner, "risk", "conservative")

    clear_tag(owner, "risk")

    assert risk(store) == ("aggressive", "inferred")
    with pytest.raises(NotFoundError, match="risk is not declared"):
        clear_tag(owner, "risk")


def test_nothing_is_overwritten_and_the_past_stays(store, owner: Writer, clock: ManualClock):
    upsert_tag(owner, "risk", "conservative")
    before = clock()
    clock.advance(days=1)
    upsert_tag(owner, "risk", "aggressive")

    assert risk(store) == ("aggressive", "user")
    assert risk(store, as_of=before) == ("conservative", "user")
    with reading(store) as conn:
        rows = conn.exec_driver_sql("SELECT value, superseded_at FROM user_tags ORDER BY id").all()
    assert [value for value, _ in rows] == ["conservative", "aggressive"]
    assert [at is None for _, at in rows] == [False, True]


def test_an_equal_value_keeps_its_row_and_its_moment(store, owner: Writer, clock: ManualClock):
    assert upsert_tag(owner, "risk", "conservative")
    (first,) = list_tags(store)
    clock.advance(days=1)

    assert not upsert_tag(owner, "risk", "conservative")
    assert list_tags(store) == [first]


@pytest.mark.parametrize(
    ("actor", "source"),
    [
        ("agent", "user"),
        ("agent", "inferred"),
        ("system", "user"),
        ("owner", "inferred"),
        ("owner", "learned_preference"),
        ("owner", "guess"),
    ],
)
def test_only_the_owner_declares_and_only_the_program_concludes(store, writer, actor, source):
    by = replace(writer, actor=actor)

    with pytest.raises(InvalidInputError) as refused:
        upsert_tag(by, "risk", "balanced", source)
    assert refused.value.field == "source"
    assert list_tags(store) == []


def test_the_file_itself_holds_one_current_value_of_a_source(store, owner: Writer):
    upsert_tag(owner, "risk", "balanced")

    with pytest.raises(IntegrityError), writing(store) as conn:
        conn.exec_driver_sql(
            "INSERT INTO user_tags (dimension, value, source, since)"
            " VALUES ('risk', 'aggressive', 'user', 1)"
        )


def test_a_value_outside_the_list_is_refused_by_every_command(command):
    refused = command("profile", "tags", "set", "risk", "Conservative")

    assert refused.code != 0
    assert refused.err.strip().endswith("accepted: conservative, balanced, aggressive")
    assert command("profile", "tags", "set", "risk", "balanced", "aggressive").code != 0
    assert command("profile", "tags", "set", "markets", "forex").code != 0
    assert not command.home.exists() or command("profile", "tags", "ls").code != 0


def test_the_commands_set_list_and_clear(command, system: Writer):
    upsert_tag(system, "markets", ["stocks"], "inferred")
    said = command("profile", "tags", "set", "markets", "memes", "crypto_majors", "--json").json
    listed = command("profile", "tags", "ls", "--json").json
    cleared = command("profile", "tags", "clear", "markets").out

    assert said["value"] == ["crypto_majors", "memes"]
    assert [(tag["source"], tag["value"], tag["counts"]) for tag in listed] == [
        ("user", ["crypto_majors", "memes"], True),
        ("inferred", ["stocks"], False),
    ]
    assert "Stocks counts (concluded)" in cleared
