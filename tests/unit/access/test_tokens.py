"""AccessTokens: told once, kept as digests, and revoked at once."""

import sqlite3

import pytest

from afterword.pipeline.core.store import Store
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.gateway.access.known import KnownTokens
from afterword.pipeline.gateway.access.tokens import AccessTokens
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command


@pytest.fixture
def tokens(instance: Store, clock: ManualClock, ids: IdSource) -> AccessTokens:
    return AccessTokens(instance, clock, ids)


def test_a_token_is_found_by_its_whole_text_alone(tokens: AccessTokens) -> None:
    issued = tokens.issue("agent", "main", "hermes")

    assert tokens.find(issued.text) == issued.token
    for wrong in ("", issued.text[:-1], issued.text + "0", issued.text.upper(), "x" * 1_000):
        assert tokens.find(wrong) is None


def test_no_file_holds_the_text_of_a_token(tokens: AccessTokens, instance: Store) -> None:
    text = tokens.issue("owner").text

    told = text.rpartition("_")[2]
    assert all(told.encode() not in file.read_bytes() for file in instance.path.parent.glob("*.*"))


def test_a_revoked_token_stays_revoked_since_its_first_time(
    tokens: AccessTokens, clock: ManualClock
) -> None:
    issued = tokens.issue("observer")
    first = tokens.revoke(issued.token.id).revoked_at
    clock.advance(seconds=60)

    assert tokens.revoke(issued.token.id).revoked_at == first
    assert tokens.find(issued.text) is None


def test_an_unknown_token_cannot_be_revoked(tokens: AccessTokens) -> None:
    with pytest.raises(NotFoundError, match="there is no token 7"):
        tokens.revoke(7)


def test_a_door_without_a_live_token_does_not_open(tokens: AccessTokens) -> None:
    with pytest.raises(InvalidInputError, match="afterword token issue owner"):
        tokens.check_any()
    issued = tokens.issue("owner")
    tokens.check_any()
    tokens.revoke(issued.token.id)
    with pytest.raises(InvalidInputError):
        tokens.check_any()


@pytest.mark.parametrize(
    ("role", "group", "label", "field"),
    [
        ("boss", None, "", "role"),
        ("agent", None, "", "group"),
        ("owner", "main", "", "group"),
        ("agent", "../main", "", "group"),
        ("owner", None, "x" * 101, "label"),
    ],
)
def test_a_wrong_token_is_refused_by_field(
    tokens: AccessTokens, role: str, group: str | None, label: str, field: str
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        tokens.issue(role, group, label)  # type: ignore[arg-type]
    assert refused.value.field == field
    assert tokens.all() == []


def test_the_text_of_a_token_is_masked_wherever_it_is_written(tokens: AccessTokens) -> None:
    for text in (tokens.issue("agent", "my-group_1").text, tokens.issue("owner").text):
        assert text.rpartition("_")[2] not in mask(f"my token is {text}, keep it")


def test_the_list_shows_no_text_of_a_token(command: Command) -> None:
    text = command("token", "issue", "agent", "--label", "hermes", "--json").json["token"]

    listed = command("token", "ls", "--json")

    assert [token["label"] for token in listed.json] == ["hermes"]
    assert text not in listed.out + command("token", "ls").out


def test_a_label_that_holds_a_secret_is_masked(tokens: AccessTokens) -> None:
    tokens.issue("owner", label="sk-ant-" + "0123456789" * 2)

    assert "0123456789" not in tokens.all()[0].label


def test_labels_are_forgotten(command: Command, instance: Store) -> None:
    command("token", "issue", "owner", "--label", "Joana's laptop")
    command("memory", "write", "Joana's laptop")

    command("forget", "--subject", "Joana's laptop", "--apply", "--yes")

    with sqlite3.connect(instance.path) as conn:
        assert conn.execute("SELECT label FROM tokens").fetchall() == [("",)]


def test_a_known_token_is_forgotten_by_a_revocation_in_another_process(
    tokens: AccessTokens, instance: Store, clock: ManualClock, ids: IdSource
) -> None:
    elsewhere = AccessTokens(Store(instance.path, instance.options), clock, ids)
    known = KnownTokens(tokens)
    issued = tokens.issue("agent", "main")
    known.keep(issued.text, issued.token, known.version())
    assert known.find(issued.text) == issued.token

    elsewhere.revoke(issued.token.id)

    assert known.find(issued.text) is None
    known.close()


def test_a_look_up_that_a_revocation_overtook_is_not_kept(
    tokens: AccessTokens, instance: Store
) -> None:
    known = KnownTokens(tokens)
    issued = tokens.issue("agent", "main")
    version = known.version()
    tokens.revoke(issued.token.id)

    known.keep(issued.text, issued.token, version)

    assert known.find(issued.text) is None
    known.close()
