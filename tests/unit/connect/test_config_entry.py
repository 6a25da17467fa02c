"""One entry is set in a file of the user's, and taken out again; every other byte stays."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from afterword.pipeline.doors.connect.config_entry import ConfigEntry
from afterword.pipeline.doors.connect.in_json import JSON_CONFIG
from afterword.pipeline.doors.connect.in_yaml import YAML_CONFIG
from afterword.pipeline.errors import InvalidInputError

PROVIDER = ("memory", "provider")
SERVER = {"command": "/usr/bin/afterword", "args": ["mcp", "--group", "main"]}

YAML_FILES = {
    "none": None,
    "empty": "",
    "comments alone": "# nothing yet\n",
    "another section, no newline at the end": "model:\n  default: x  # cheap",
    "the section, indented by four": "memory:\n    memory_enabled: true   # keep\n\n\nother: 1\n",
    "the section, at the end": "a: [1,  2]\nmemory:\n  nudge: 10",
    "an empty value": "memory:\n  provider: ''   # built-in only\n  nudge: 10\n",
    "no value": "memory:\n  provider:  # built-in only\n  nudge: 10\n",
    "a section without a value": "memory:   # later\nmodel: x\n",
    "a section in braces": "memory: {nudge: 10,  flush: 2}  # short\n",
    "an empty section in braces": "memory: {}\nmodel: x\n",
    "Windows": "model: x\r\nmemory:\r\n  nudge: 10\r\n",
    "anchors, quotes, long lines, Chinese": (
        f"base: &b\n  k: 'v'\nuse: *b\nlong: {'word ' * 60}\n说明: \"记忆\"\nmemory:\n- not: this\n"
    ).replace("memory:\n- not: this\n", "memory:\n  nudge: 1\n"),
    "a text that looks like it": 'note: |\n  memory:\n    provider: honcho\nx: "memory:"\n',
}

JSON_FILES = {
    "none": None,
    "empty": "",
    "an empty object": "{}",
    "an empty object on two lines": "{\n}\n",
    "on one line": '{"theme":"dark", "x": [1,  2]}',
    "other servers": '{\n\t"mcpServers": {\n\t\t"memory": {"command": "m"}\n\t}\n}\n',
    "no servers yet": '{\n    "mcpServers": {},\n    "a": 1e3\n}',
    "servers that are null": '{"mcpServers": {"afterword": null, "b": {}}}',
    "Windows, with a mark": '\ufeff{\r\n  "a": "\\u8bb0",\r\n  "mcpServers": {"b": {}}\r\n}\r\n',
}


def entry_of(path: Path) -> ConfigEntry:
    if path.suffix == ".yaml":
        return ConfigEntry(path, PROVIDER, "afterword", YAML_CONFIG)
    return ConfigEntry(path, ("mcpServers", "afterword"), SERVER, JSON_CONFIG)


def parsed(path: Path) -> Any:
    text = path.read_bytes().decode("utf-8-sig")
    return yaml.safe_load(text) if path.suffix == ".yaml" else json.loads(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *((f"{kind}.yaml", text) for kind, text in YAML_FILES.items()),
        *((f"{kind}.json", text) for kind, text in JSON_FILES.items()),
    ],
)
def test_an_entry_is_set_and_taken_out_and_the_file_is_as_before(
    name: str, text: str | None, tmp_path: Path
):
    path = tmp_path / name
    if text is not None:
        path.write_bytes(text.encode())
    entry = entry_of(path)
    prepared = entry.prepare(None)
    prepared.write()

    document = parsed(path)
    for key in entry.keys:
        document = document[key]
    assert document == entry.value
    assert entry.look(prepared.mark) == "current"
    for line in (text or "").splitlines():
        kept = line.partition("provider:")[0].split("{")[0].strip()
        assert kept in path.read_bytes().decode()
    assert entry.remove(prepared.mark)
    assert (path.read_bytes().decode() if path.exists() else None) == text


@pytest.mark.parametrize("name", ["config.yaml", "mcp.json"])
def test_an_entry_that_the_client_wrote_in_its_own_way_is_taken_out_too(name: str, tmp_path: Path):
    path = tmp_path / name
    path.write_text('{"memory": {"nudge": 1}, "mcpServers": {"b": {}}}')
    entry = entry_of(path)
    prepared = entry.prepare(None)
    prepared.write()
    dump = yaml.safe_dump if name.endswith("yaml") else json.dumps
    path.write_text(dump(parsed(path)))

    assert entry.look(prepared.mark) == "current"
    assert entry.remove(prepared.mark)
    assert parsed(path) == {"memory": {"nudge": 1}, "mcpServers": {"b": {}}}


@pytest.mark.parametrize(
    ("before", "after"),
    [(None, "taken"), ("memory:\n  provider: afterword\n", "changed")],
    ids=["it was there before", "it was set since"],
)
def test_what_somebody_else_chose_stays(before: str | None, after: str, tmp_path: Path):
    path = tmp_path / "config.yaml"
    entry, mark = entry_of(path), None
    if before is not None:
        prepared = entry.prepare(None)
        prepared.write()
        mark = prepared.mark
        assert path.read_text() == before
    path.write_text("memory:\n  provider: honcho\n")

    assert entry.look(mark) == after
    if mark is not None:
        assert not entry.remove(mark)
    assert path.read_text() == "memory:\n  provider: honcho\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("two documents.yaml", "a: 1\n---\nb: 2\n"),
        ("a list.yaml", "- a\n- b\n"),
        ("a mistake.yaml", "a: [1\n"),
        ("a section that is a word.yaml", "memory: on\n"),
        ("comments.json", '{\n  // mine\n  "mcpServers": {}\n}'),
        ("a list.json", "[1]"),
        ("servers that are a list.json", '{"mcpServers": []}'),
        ("no text.json", "\udcff"),
    ],
)
def test_a_file_that_cannot_be_changed_safely_is_refused_with_what_to_add(
    name: str, text: str, tmp_path: Path
):
    path = tmp_path / name
    path.write_bytes(text.encode(errors="surrogateescape"))
    entry = entry_of(path)

    with pytest.raises(InvalidInputError, match=r"afterword"):
        entry.look(None)
        entry.prepare(None)
    assert path.read_bytes() == text.encode(errors="surrogateescape")


def test_a_newer_value_takes_the_place_of_ours_and_still_comes_out_again(tmp_path: Path):
    path = tmp_path / "mcp.json"
    text = '{\n  "mcpServers": {\n    "b": {"command": "b"}\n  }\n}\n'
    path.write_text(text)
    old = ConfigEntry(path, ("mcpServers", "afterword"), {"command": "/old"}, JSON_CONFIG)
    first = old.prepare(None)
    first.write()
    new = entry_of(path)
    assert new.look(first.mark) == "outdated"
    second = new.prepare(first.mark)
    second.write()

    assert parsed(path)["mcpServers"] == {"afterword": SERVER, "b": {"command": "b"}}
    assert new.remove(second.mark)
    assert path.read_text() == text
