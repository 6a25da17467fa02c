"""A name that came in through any door is in no byte of the home after it is forgotten."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Stores, reading, writing
from afterword.pipeline.operations.forget.places import FORGET_PLACES, Files
from afterword.pipeline.testing.command import CommandResult

NAME = "Quibbleworth"

Run = Callable[..., CommandResult]
Door = Callable[[Run, Path], object]


def export(run: Run, folder: Path) -> None:
    file = folder / f"{NAME}.csv"
    rows = "".join(
        f"2026-01-05 1{hour}:00:00,BTC/USD,{side},1,10{hour},0\n"
        for hour, side in enumerate(("buy", "sell"))
    )
    file.write_text("When,Pair,Type,Amount,Price,Fee\n" + rows)
    columns = "time=When,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"
    line = ("learn", str(file), "--columns", columns, "--zone", "UTC", "--keep")
    run(*line, "--account", NAME, "--mapping", NAME)


def imported_chat(run: Run, folder: Path) -> None:
    file = folder / "memories.jsonl"
    rows = [
        {"category": "context", "content": f"{NAME} asked", "tags": [NAME]},
        {"category": "context", "content": "a landlord", "metadata": {"who": NAME}},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("memory", "write", "--file", str(file))


def marked_decision(run: Run, _: Path) -> None:
    line = ("role", "record", "market.perps.swing", "short now", "--asset", "ETH")
    recorded = run(*line, "--direction", "short", "--json").json
    run("role", "mark", str(recorded["id"]), "wrong", "--note", f"{NAME} knew")


DOORS: dict[str, Door] = {
    "memory": lambda run, _: run("memory", "write", "preference", f"{NAME} likes tea"),
    "memories of a file": imported_chat,
    "profile": lambda run, _: run("profile", "set", "landlord", f"Jane {NAME}"),
    "session": lambda run, _: run("session", "begin", "--label", f"for {NAME}"),
    "decision": lambda run, _: run(
        *("role", "record", "market.perps.swing", f"{NAME} says long", "--asset", "BTC"),
        *("--direction", "long", "--key", f"of {NAME}", "--inputs", json.dumps({"who": NAME})),
    ),
    "mark": marked_decision,
    "entry": lambda run, _: run("entry", "store", "fact", f"ask {NAME} first"),
    "methodology": lambda run, _: run(
        *("methodology", "add", "Buy BTC when daily RSI is below 30", "--evidence", f"by {NAME}"),
        *("--class", "major_crypto", "--direction", "bullish", "--timeframe", "short"),
        *("--name", f"{NAME} dips", "--key", NAME),
    ),
    "export": export,
    "pause": lambda run, _: run("jobs", "pause", "embed_memories", "--note", f"for {NAME}"),
    "switch": lambda run, _: run(
        "switch", "set", "draft_lesson", "off", "--note", f"{NAME} asked for it"
    ),
    "switch again": lambda run, _: run(
        "switch", "set", "draft_lesson", "shadow", "--note", f"Jane {NAME} called"
    ),
    "budget": lambda run, _: run("budget", "stop", "--note", f"until {NAME} pays"),
}


def bytes_of(home: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()
    }


def holders(home: Path) -> list[str]:
    wanted = NAME.casefold().encode()
    return sorted(name for name, held in bytes_of(home).items() if wanted in held.lower())


@pytest.fixture
def run(command) -> Run:
    def line(*words: str) -> CommandResult:
        done = command(*words)
        assert done.code == 0, (words, done.err)
        return done

    return line


def come_in(run: Run, folder: Path) -> None:
    for door in DOORS.values():
        door(run, folder)


@pytest.mark.parametrize("door", ["memory", "pause", "switch", "budget"])
def test_each_door_brings_the_name_in_and_forget_takes_it_out(
    home: Path, tmp_path: Path, clock, run, command, door: str
):
    run("memory", "write", "preference", "Likes tea")
    DOORS[door](run, tmp_path)
    assert holders(home)

    found = command("forget", "--subject", NAME, "--trades", "--json").json
    done = command("forget", "--subject", NAME, "--trades", "--apply", "--yes", "--json").json
    assert found["held"] == done["preview"]["held"] != []
    assert (done["proof"]["found"], done["proof"]["copies"]) == (0, [])
    assert holders(home) == []
    assert command("forget", "--subject", NAME, "--json").json["held"] == []


def test_all_at_once_no_text_column_and_no_byte_has_it(
    home: Path, tmp_path: Path, stores: Stores, clock, run, command
):
    come_in(run, tmp_path)
    run("budget", "resume")  # the row is deleted; its bytes stay in the file
    run("budget", "stop", "--note", f"{NAME} again")
    done = command("forget", "--subject", NAME, "--trades", "--apply", "--yes", "--json").json

    assert (done["proof"]["found"], done["proof"]["copies"]) == (0, [])
    for file in Files(stores.group("main"), stores.instance):
        with reading(file) as conn:
            for place in FORGET_PLACES:
                if Files(stores.group("main"), stores.instance).of(place) is file:
                    columns = ", ".join((*place.words, *place.json))
                    rows = conn.exec_driver_sql(f"SELECT {columns} FROM {place.table}").all()
                    assert NAME.casefold() not in str(rows).casefold(), place
    stores.close()
    assert holders(home) == []


def test_only_the_note_goes_and_what_the_operator_set_stays(home: Path, tmp_path, run, command):
    run("memory", "write", "preference", "Likes tea")
    for door in ("pause", "switch", "switch again", "budget"):
        DOORS[door](run, tmp_path)
    run("switch", "set", "word_pattern", "off", "--note", "costs too much")
    before = command("switch", "ls", "--json").json
    done = command("forget", "--subject", NAME, "--apply", "--yes")

    assert re.search(r"switch_changes +blanked +2 +1, 2", done.out)
    assert re.search(r"budget_switch +blanked +1 ", done.out)
    assert re.search(r"paused_kinds +blanked +1 ", done.out)
    for switch in before:
        switch["note"] = switch["note"] if NAME not in switch["note"] else ""
    assert command("switch", "ls", "--json").json == before
    stopped = command("budget", "show", "--json").json["stopped"]
    assert (stopped is not None, stopped["note"]) == (True, "")
    assert "paused" in command("jobs", "ls").out
    assert command("switch", "set", "word_pattern", "on", "--note", "again").code == 0


def test_a_note_can_be_forgotten_and_never_changed(stores: Stores, run):
    run("switch", "set", "word_pattern", "off", "--note", "costs too much")
    for change in ("note = 'other'", "mode = 'on'", "changed_at = 1", "note = '', mode = 'on'"):
        with pytest.raises(Exception, match="append-only"), writing(stores.instance) as conn:
            conn.exec_driver_sql(f"UPDATE switch_changes SET {change}")


def left_by_a_restore(home: Path) -> Path:
    return home / "groups" / "main.sqlite.restoring"


def left_by_a_backup(home: Path) -> Path:
    return home.parent / "copy.part" / "groups" / "main.sqlite"


def instance_file_of_that_backup(home: Path) -> Path:
    return home.parent / "copy.part" / "instance.sqlite"


def a_skill(home: Path) -> Path:
    return home / "skills" / "notes.txt"


def a_page(home: Path) -> Path:
    return home / "trades.html"


@pytest.mark.parametrize(
    "place", [left_by_a_restore, left_by_a_backup, instance_file_of_that_backup, a_skill, a_page]
)
def test_a_file_that_forget_may_not_change_is_named(home: Path, run, command, place):
    run("memory", "write", "preference", f"{NAME} likes tea")
    path = place(home)
    (home.parent / "copy.part" / "groups").mkdir(parents=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"of {NAME}")
    os.mkfifo(path.with_name("pipe"))
    done = command("forget", "--subject", NAME, "--apply", "--yes")

    assert done.code == 0, done.err
    (line,) = [line for line in done.out.splitlines() if str(home.parent) in line]
    assert line.startswith(f"not changed: {path} contains 1 of them")
    assert path.read_text() == f"of {NAME}"


def test_the_instance_file_of_a_backup_is_named(home: Path, tmp_path: Path, run, command):
    run("memory", "write", "preference", "Likes tea")
    DOORS["switch"](run, tmp_path)
    run("store", "backup", str(home.parent / "copy"))
    done = command("forget", "--subject", NAME, "--apply", "--yes", "--json")

    (copy,) = done.json["proof"]["copies"]
    assert copy["path"] == str(home.parent / "copy" / "instance.sqlite")
    assert copy["holds"] > 0
    assert holders(home) == []


def test_files_of_other_groups_are_no_copies(home: Path, run, command):
    run("memory", "write", "preference", f"{NAME} likes tea")
    run("memory", "write", "preference", f"{NAME} likes tea", "--group", "other")
    run("store", "backup", str(home.parent / "copy"))
    done = command("forget", "--subject", NAME, "--apply", "--yes", "--json")

    (copy,) = done.json["proof"]["copies"]
    assert copy["path"] == str(home.parent / "copy" / "groups" / "main.sqlite")
    assert NAME in command("memory", "read", "--group", "other").out
