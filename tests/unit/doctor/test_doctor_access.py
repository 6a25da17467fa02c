"""The doctor names what others may change or open, and takes it from them where it may."""

import os
import re
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.core.store.key import secret_key

NOBODY = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")


@pytest.fixture
def home(stores: Stores, store: Store) -> Path:
    """An installation with a key and a skill file."""
    secret_key(stores.home)
    skills = stores.home / "skills"
    skills.mkdir(mode=0o755)
    (skills / "desk.py").write_text(
        "from afterword import Manual, ReflectionPolicy, Role, Skill\n"
        "policy = ReflectionPolicy(Manual(), 0, 48)\n"
        "DESK = Skill('desk', (Role('desk', 'M', ('late',), '{decision}', policy),))\n"
    )
    (skills / "desk.py").chmod(0o644)
    return stores.home


def privacy(command, *line: str) -> list[tuple[str, str, str]]:
    findings = command("doctor", "--json", *line).json
    return [
        (one["state"], one["says"], one["remedy"])
        for one in findings
        if one["subject"] == "privacy"
    ]


def test_a_home_as_it_is_made_is_fine(home: Path, command):
    assert privacy(command) == [("fine", "only this user may open the files", "")]


def test_a_home_that_others_may_list_is_a_note(home: Path, command):
    home.chmod(0o755)

    said = f"other users may list {home}, but open none of its files"
    assert privacy(command) == [("note", said, f"chmod 700 {home}")]
    assert command("doctor").code == 0


CHANGES = {
    "": (0o777, "may be written by every user", 0o755),
    "skills": (0o777, "may be written by every user", 0o755),
    "skills/desk.py": (0o666, "may be written by every user", 0o644),
    "groups": (0o777, "may be written by every user", 0o755),
    "keys": (0o702, "may be written by every user", 0o700),
    "keys/hmac.key": (0o644, "other users may open", 0o600),
    "groups/main.sqlite": (0o640, "other users may open", 0o600),
    "instance.sqlite": (0o604, "other users may open", 0o600),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_others_may_change_or_open_is_named_and_taken_from_them(
    home: Path, command, name: str
):
    path = home / name
    opened, said, mended = CHANGES[name]
    path.chmod(opened)

    ((state, says, remedy),) = privacy(command)
    assert (state, command("doctor").code) == ("wrong", 1)
    assert said in says and str(path) in says
    assert remedy.startswith("chmod ") and remedy.endswith(str(path))
    assert re.search(r"\(home\) +access +to do +1 ", command("doctor", "--fix").out)
    assert path.stat().st_mode & 0o777 == opened
    (done,) = command("doctor", "--fix", "--apply", "--only", "access", "--json").json
    assert (done["rows"], done["applied"]) == (1, True)
    assert path.stat().st_mode & 0o777 == mended
    assert [state for state, *_ in privacy(command)] == ["fine" if name else "note"]


def test_all_faults_are_named_and_one_repair_ends_them(home: Path, command):
    for name, (opened, *_) in CHANGES.items():
        (home / name).chmod(opened)
    faults = privacy(command)

    assert len(faults) == len(CHANGES)
    assert command("doctor", "--fix", "--apply").code == 0  # skills are loaded after the repair
    assert [state for state, *_ in privacy(command)] == ["note"]


@needs_root
@pytest.mark.parametrize("name", ["", "skills", "skills/desk.py", "keys", "keys/hmac.key"])
def test_what_belongs_to_another_user_is_named_and_left_to_a_person(home: Path, command, name: str):
    os.chown(home / name, NOBODY, -1)

    ((state, says, remedy),) = privacy(command)
    assert (state, says) == ("wrong", f"{home / name} belongs to nobody, not to root")
    assert remedy == f"chown root {home / name}"
    assert "nobody" not in str(privacy(command, "--anonymous"))
    command("doctor", "--fix", "--apply", "--only", "access")
    assert (home / name).stat().st_uid == NOBODY


@needs_root
@pytest.mark.parametrize("name", ["keys", "keys/hmac.key"])
def test_a_key_that_another_user_may_have_put_there_seals_nothing(home: Path, command, name: str):
    command("memory", "write", "preference", "Likes quibbleworth tea")
    os.chown(home / name, NOBODY, -1)
    refused = command("forget", "--memory", "1", "--apply", "--yes")

    assert refused.code == 2
    assert f"chown root {home / name}" in refused.err
    assert "quibbleworth" in command("memory", "read").out
