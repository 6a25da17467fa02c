"""A folder from elsewhere is refused by the path of what is wrong, before anything is written."""

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from afterword.pipeline.core.files import plain_tree
from tests.unit.portability.lived import Lived, rows

BOMB = "".join(
    ["---\n", 'a0: &a0 ["x"]\n', *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))]
)


def link(folder: Path) -> None:
    (folder / "data/extra.jsonl").symlink_to("/etc/passwd")


def link_to_a_folder(folder: Path) -> None:
    (folder / "extra").symlink_to("/etc")


def hard_link(folder: Path) -> None:
    (folder.parent / "secret").write_text("of another program")
    os.link(folder.parent / "secret", folder / "data/extra.jsonl")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "extra")


def a_socket(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        here = Path.cwd()
        os.chdir(folder)
        try:
            one.bind("extra")
        finally:
            os.chdir(here)


def archive(folder: Path) -> None:
    (folder / "extra.zip").write_bytes(b"PK\x03\x04")


def packed(folder: Path) -> None:
    (folder / "data/extra.jsonl").write_bytes(b"\x1f\x8b\x08\x00")


def same_name(folder: Path) -> None:
    (folder / "data/Extra.md").write_text("x")
    (folder / "data/extra.md").write_text("x")


def same_accent(folder: Path) -> None:
    (folder / "data/extra\u00e9.md").write_text("x")
    (folder / "data/extrae\u0301.md").write_text("x")


def no_utf8_name(folder: Path) -> None:
    (Path(os.fsdecode(os.fsencode(folder) + b"/extra\xff"))).write_text("x")


def newline(folder: Path) -> None:
    (folder / "extra\nsignature.txt").write_text("x")


def deep(folder: Path) -> None:
    (folder / "/".join(["extra", *"abcdefghij"])).mkdir(parents=True)


def traversal(folder: Path) -> None:
    signature = folder / "signature.txt"
    signature.write_text(f"{signature.read_text()}{'0' * 64}  ../extra\n")


def large_index(folder: Path) -> None:
    with (folder / "index.md").open("ab") as file:
        file.truncate(1 << 30)


def index_bomb(folder: Path) -> None:
    (folder / "index.md").write_text(f"{BOMB}---\n")


def no_utf8_index(folder: Path) -> None:
    (folder / "index.md").write_bytes(b"---\nkind: \xff\n---\n")


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        *((spoil, "extra") for spoil in (link, link_to_a_folder, hard_link, pipe, a_socket)),
        *((spoil, "extra") for spoil in (archive, packed, same_name, same_accent, no_utf8_name)),
        *((spoil, "extra") for spoil in (newline, deep, traversal)),
        *((spoil, "index.md") for spoil in (large_index, index_bomb, no_utf8_index)),
    ],
)
def test_it_is_refused_with_its_path(lived: Lived, spoil: Callable[[Path], None], named: str):
    folder = lived.export("signed", "--sign")
    spoil(folder)
    before = lived.sql("SELECT count(*) FROM audit_log")

    for options in ((), ("--apply",)):
        done = lived.line(folder, *options)
        assert (done.code, named in done.err) == (2, True), done.err
    assert lived.sql("SELECT count(*) FROM audit_log") == before


def test_a_million_files_are_refused_early(lived: Lived, monkeypatch: pytest.MonkeyPatch):
    folder = lived.export("signed")
    monkeypatch.setattr(plain_tree, "MOST_TREE_FILES", 40)
    for number in range(50):
        (folder / "data" / f"{number}.md").touch()

    assert "more than 40 entries" in lived.line(folder).err


@pytest.mark.parametrize(
    "text",
    [
        f"{BOMB}---\n\nx",
        "---\na: !!python/object/apply:os.system ['true']\n---\n\nx",
        "---\n" + "[" * 5_000 + "\n---\n",
        "no front matter",
        "---\nkind: methodology\nschema_version: 1\n---\n\nx",
    ],
)
def test_a_page_that_is_a_trap_is_refused_alone(lived: Lived, text: str):
    folder = lived.export("signed", "--sign")
    page = next(folder.glob("methodologies/*/*.md"))
    page.write_text(text)

    files = lived.take(folder, "--apply")

    assert files[page.relative_to(folder).as_posix()]["outcome"] == "refused"
    assert files["data/memories.jsonl"]["outcome"] == "unchanged"


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"uid": NaN}',
        b'{"uid": "../../x", "id": 1}',
        b"{}",
    ],
)
def test_a_line_that_is_a_trap_is_refused_alone(lived: Lived, line: bytes):
    folder = lived.export("plain")
    data = folder / "data/memories.jsonl"
    data.write_bytes(data.read_bytes() + line + b"\n")

    file = lived.take(folder, group="twin")["data/memories.jsonl"]

    assert (file["refused"], file["new"] > 0) == (1, True)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        *(("fills", "price", text) for text in ("abc", "", "NaN", "1e999999", "9" * 5_000)),
        *(("fills", "ts_ms", number) for number in (-1, 1 << 62, 1 << 70, True)),
        *(("round_trips", "net", text) for text in ("abc", "Infinity")),
        *(("round_trips", "flags", text) for text in ("{}", "[1]", "[" * 50_000)),
        *(("round_trips", "other_fees", text) for text in ('[["BNB", "x"]]', '["a", 1]')),
        *(("round_trips", "closed_at", text) for text in ("9999-12-31T23:59:59Z", "soon", None)),
        *(("round_trips", "memory_id", key) for key in (["a"], [["a"]], "\ud800")),
        *(("memories", "uid", text) for text in (None, "\ud800", "../x", "a\x00")),
        *(("memories", "superseded_by", key) for key in ("\ud800", ["a"], "[" * 50_000)),
        *(("memories", "metadata", text) for text in ("[" * 50_000, "[1]", "null")),
    ],
)
def test_no_value_of_a_line_breaks_the_import_or_the_views(
    lived: Lived, name: str, field: str, value: object
):
    folder = lived.export("plain")
    data = folder / f"data/{name}.jsonl"
    line = rows(folder, name)[-1]
    for key in ("uid", "fill_uid", "trip_uid"):
        line |= {key: "another"} if key in line else {}
    with data.open("a") as file:
        file.write(json.dumps({**line, field: value}) + "\n")

    taken = lived.take(folder, "--apply", group="twin")[f"data/{name}.jsonl"]

    assert taken["new"] + taken["refused"] == len(rows(folder, name)), taken
    for view in (("trades", "ls"), ("trades", "stats"), ("memory", "search", "BTC")):
        done = lived.command(*view, "--group", "twin")
        assert done.code == 0, done.err
