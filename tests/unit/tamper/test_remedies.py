"""What the owner is told after an edit by another program, and that the told command helps."""

import re

import pytest

from afterword.pipeline.views.operator.tamper import MOST_SHOWN


def test_the_command_names_the_row_and_ends_with_status_1(lived, edit, command):
    assert command("store", "check", "--tamper").code == 0
    edit("UPDATE memories SET content = 'buy more' WHERE id = 2")
    done = command("store", "check", "--tamper", "--json")

    assert done.code == 1
    (named,) = done.json[0]["edits"]
    assert (named["table"], named["row"], named["what"]) == ("memories", 2, "changed")
    assert command("--group", "main", "store", "check", "--tamper", "--accept").code == 0
    assert command("store", "check", "--tamper").code == 0
    assert "another program" not in command("doctor").out


def test_nothing_is_written_under_another_key_until_the_owner_accepts(
    lived, stores, command, found
):
    stores.close()
    lived.close()
    (stores.home / "keys" / "hmac.key").unlink()
    line = ("memory", "write", "personalization", "Trades from Porto")
    refused = command(*line)

    assert refused.code == 1 and "keys/hmac.key" in refused.err
    (remedy,) = re.findall(r"`afterword (.*)`", refused.err)
    assert "nothing is written" in command("doctor").out
    assert command(*remedy.split()).code == 0
    assert command(*line).code == 0
    assert found() == set()


@pytest.mark.parametrize(
    ("statement", "what"),
    [("DROP TABLE chain_blocks", "no chain"), ("DELETE FROM chain_blocks", "chain")],
)
def test_a_removed_chain_is_told_though_nothing_anchored_since(lived, edit, found, statement, what):
    edit(statement)

    assert found() == {("", what)}


def test_a_write_without_the_table_of_the_chain_names_the_remedy(lived, edit, command):
    edit("DROP TABLE chain_blocks")
    refused = command("memory", "write", "personalization", "Trades from Porto")

    assert refused.code == 1
    assert "`afterword store restore BACKUP --group main --replace`" in refused.err


@pytest.mark.parametrize("table", ["chain_blocks", "trip_notes", "memories"])
@pytest.mark.parametrize(
    "line",
    [
        ("memory", "write", "personalization", "Trades from Porto"),
        ("doctor",),
        ("store", "check"),
        ("store", "check", "--tamper"),
        ("--group", "main", "store", "check", "--tamper", "--accept"),
        ("store", "move", "main", "--to", "{elsewhere}"),
    ],
    ids=" ".join,
)
def test_each_command_names_the_restore_where_a_table_was_removed(
    lived, edit, command, tmp_path, line, table
):
    edit(f"DROP TABLE {table}")
    told = command(*(part.format(elsewhere=tmp_path / "elsewhere") for part in line))

    assert told.code == 1
    assert "`afterword store restore BACKUP --group main --replace`" in told.out + told.err
    assert "user_version" not in told.out + told.err


def test_the_restore_helps_where_a_table_was_removed(lived, edit, command, tmp_path, found):
    backup = tmp_path / "backup"
    assert command("store", "backup", str(backup)).code == 0
    edit("DROP TABLE chain_blocks")
    told = command("store", "restore", str(backup), "--group", "main", "--replace")

    assert told.code == 0, told.err
    assert command("memory", "write", "personalization", "Trades from Porto").code == 0
    assert found() == set()


def test_many_edits_are_counted_and_not_listed(lived, edit, command):
    values = ", ".join(f"('key {place}', 'x', 1)" for place in range(50))
    edit(f"INSERT INTO user_profile (key, value, updated_at) VALUES {values}")
    said = command("store", "check", "--tamper").out

    assert len(said.splitlines()) < MOST_SHOWN + 10
    assert re.search(r"And 30 added in user_profile", said)
