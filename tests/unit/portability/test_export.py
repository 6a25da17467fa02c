"""An export is a folder that people, Obsidian and programs read, and that tells no secret."""

import re
from hashlib import sha256
from pathlib import Path

from tests.unit.portability.lived import Lived, rows


def test_it_has_the_tree_of_r1_and_each_table_as_lines(lived: Lived, home: Path):
    made = lived.command("memory", "export", "--sign", "--json").json
    folder = Path(made["folder"])
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    (method,) = lived.sql("SELECT uid FROM methodologies WHERE id = 1")
    (preference,) = lived.sql(
        "SELECT uid FROM learned_preferences WHERE dimension = 'direction'"
        " AND superseded_at IS NULL"
    )

    assert folder.parent == home / "exports"
    assert names >= {
        *("index.md", "signature.txt", "preferences/README.md"),
        f"methodologies/major_crypto/{method[0]}.md",
        f"preferences/direction/{preference[0]}.md",
        "memories/lesson-00001.md",
    }
    assert {"memories", "facts", "user_profile", "fills", "round_trips"} <= set(made["rows"])
    assert made["rows"]["fills"] == len(rows(folder, "fills")) > 0


def test_every_link_leads_to_a_file_and_every_page_has_front_matter(lived: Lived):
    folder = lived.export("links")
    for page in folder.rglob("*.md"):
        text = page.read_text()
        assert text.startswith("---\nschema_version: 1\nkind: ")
        for link in re.findall(r"\]\(([^)]+)\)", text):
            assert (page.parent / link).exists()


def test_a_hard_constraint_is_in_no_file_unless_it_was_asked_for(lived: Lived):
    lived.command("doctor", "--fix", "--apply", "--only", "edges")
    without = lived.export("without")
    having = lived.export("having", "--include-constraints")

    assert [path for path in without.rglob("*.*") if "DOGE" in path.read_text()] == []
    told = {
        path.relative_to(having).parts[0]
        for path in having.rglob("*.*")
        if "DOGE" in path.read_text()
    }
    assert {"preferences", "data"} <= told


def test_the_key_is_in_no_file_and_its_name_in_each(lived: Lived, home: Path):
    folder = lived.export("signed", "--sign")
    key = (home / "keys" / "hmac.key").read_bytes()
    name = sha256(key).hexdigest()[:16]

    for path in folder.rglob("*.*"):
        data = path.read_bytes()
        assert key not in data and key.hex().encode() not in data
        assert path.suffix == ".jsonl" or name.encode() in data


def test_a_number_is_never_used_twice_and_a_folder_never_written_twice(lived: Lived):
    first = lived.command("memory", "export", "--out", str(lived.folder / "a"), "--json").json
    again = lived.command("memory", "export", "--out", str(lived.folder / "a"))
    third = lived.command("memory", "export", "--out", str(lived.folder / "b"), "--json").json

    assert (again.code, first["header"]["serial"]) == (2, 1)
    assert third["header"]["serial"] == 2


def test_prices_are_taken_along_on_request(lived: Lived):
    assert not (lived.export("few") / "data/prices.jsonl").exists()
    assert (lived.export("all", "--prices") / "data/prices.jsonl").exists()
