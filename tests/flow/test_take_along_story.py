"""The demo's group leaves as a folder: back in itself it changes nothing, elsewhere it is whole."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from afterword.pipeline.testing.process import run_afterword
from tests.unit.portability.lived import rows, texts, without

LEARNED = ("known_at", "created_at", "updated_at", "superseded_at")
EQUAL = ("sessions", "facts", "user_profile", "decisions", "outcomes", "judge_evidence")


@pytest.fixture(scope="module")
def home(demo: subprocess.CompletedProcess[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the home of the demo."""
    (named,) = re.findall(r"export AFTERWORD_HOME=(\S+)", demo.stderr)
    return Path(shutil.copytree(named, tmp_path_factory.mktemp("leaving") / "home"))


@pytest.fixture(scope="module")
def first(home: Path) -> Path:
    """Return a signed export of it."""
    return exported(home, home.parent / "first")


def test_an_import_into_the_restored_group_changes_no_byte_of_a_third_export(
    home: Path, first: Path
):
    backup = str(home.parent / "backup")
    afterword(home, "store", "backup", backup)
    afterword(home, "store", "restore", backup, "--group", "main", "--replace")

    said = afterword(home, "memory", "import", str(first), "--apply")

    assert "written: 0 rows of afterword" in said
    assert texts(exported(home, home.parent / "third")) == texts(first)


def test_an_empty_home_gets_it_whole_with_the_key_and_as_claims_without(home: Path, first: Path):
    key = str(home / "keys/hmac.key")
    for name, options in (("keyed", ("--key", key)), ("claimed", ())):
        other = home.parent / name
        tried = afterword(other, "memory", "import", str(first), *options)
        assert "nothing was written" in tried
        afterword(other, "memory", "import", str(first), *options, "--apply")
        second = exported(other, home.parent / f"{name}-export")

        is_keyed = name == "keyed"
        whose = () if is_keyed else ("origin", "source", "session_id", "metadata")
        for table in ("memories", "fills", "round_trips"):
            unlike = (*LEARNED, *whose)
            assert without(rows(second, table), *unlike) == without(rows(first, table), *unlike)
        for table in EQUAL if is_keyed else ("facts", "user_profile"):
            assert rows(second, table) == rows(first, table), table
        assert ("a claim" in (second / "differences.md").read_text()) is not is_keyed
        assert bool(rows(second, "decisions")) is is_keyed


def exported(home: Path, target: Path) -> Path:
    """Return a new signed export."""
    afterword(home, "memory", "export", "--sign", "--out", str(target))
    return target


def afterword(home: Path, *line: str) -> str:
    """Return what a command says; it must succeed."""
    done = run_afterword("--home", str(home), *line)
    assert done.returncode == 0, done.stderr
    return done.stdout
