"""Bad input gives one line that names the field, exit code 2, and changes no row."""

import pytest

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import IdSource

WRITE = ("memory", "write")
HALF = "caf\udce9"
"""How a byte that is no UTF-8 arrives from the command line."""

LINES = {
    "an unknown category": ((*WRITE, "gossip", "x"), "category:"),
    "no text": ((*WRITE, "lesson", ""), "content:"),
    "nothing but blanks": ((*WRITE, "lesson", " \n\t"), "content:"),
    "no arguments": (WRITE, "content:"),
    "a category without a text": ((*WRITE, "lesson"), "content:"),
    "two megabytes": ((*WRITE, "lesson", "x" * 2_000_000), "content:"),
    "a long typed entry": ((*WRITE, "fact", "x" * 2_001, "--typed"), "content:"),
    "a NUL": ((*WRITE, "lesson", "a\0b"), "content:"),
    "half a character": ((*WRITE, "lesson", HALF), "content:"),
    "half a character in a tag": ((*WRITE, "lesson", "x", "--tag", HALF), "tag:"),
    "too many tags": ((*WRITE, "lesson", "x", *("--tag", "t") * 11), "tags:"),
    "an unknown source": ((*WRITE, "lesson", "x", "--source", "me"), "source:"),
    "broken metadata": ((*WRITE, "lesson", "x", "--meta", "{"), "meta:"),
    "metadata that is no object": ((*WRITE, "lesson", "x", "--meta", "[1]"), "meta:"),
    "endless metadata": ((*WRITE, "lesson", "x", "--meta", "[" * 100_000), "meta:"),
    "a file and a text": ((*WRITE, "lesson", "x", "--file", "-"), "file:"),
    "a file that is not there": ((*WRITE, "--file", "/nowhere/x.jsonl"), "file:"),
    "a group that is a path": ((*WRITE, "lesson", "x", "--group", "../x"), "group:"),
    "a group without a name": (("jobs", "ls", "--group", ""), "group:"),
    "a group of half a character": ((*WRITE, "lesson", "x", "--group", HALF), "group:"),
    "a limit of none": (("memory", "read", "--limit", "0"), "limit:"),
    "a limit of a million": (("memory", "search", "x", "--limit", "1000000"), "limit:"),
    "a state that is none": (("jobs", "ls", "--state", "lost"), "'--state'"),
    "a job that is no number": (("jobs", "retry", "x"), "'ID'"),
    "a job beyond all numbers": (("jobs", "retry", "9" * 30), "'ID'"),
    "a kind of half a character": (("jobs", "pause", HALF), "kind:"),
    "a kind that is blank": (("jobs", "pause", " "), "kind:"),
    "a category without a budget": (("budget", "reserve", "fun", "1"), "category:"),
    "an amount that is none": (("budget", "reserve", "agent", "nan"), "amount:"),
    "an amount below zero": (("budget", "reserve", "agent", "--", "-1"), "amount:"),
    "a time that is none": (("budget", "reserve", "agent", "1", "--ttl", "0"), "'--ttl'"),
    "fills that are not there": (
        ("history", "import", "/nowhere/f.json", "--account", "a"),
        "f.json:",
    ),
    "a backup that is none": (("store", "restore", "/nowhere"), "source:"),
    "a backup over a folder": (("store", "backup", "/"), "target:"),
    "a group for no group": (("store", "restore", "/nowhere", "--from", "a"), "from:"),
}


@pytest.fixture
def stored(stores: Stores, clock: Clock, ids: IdSource) -> Store:
    store = stores.group("main", create=True)
    write_memory(Writer(store, clock, ids), NewMemory("reference", "here before"))
    return store


def hashes(stores: Stores) -> dict[str, str]:
    """Return a digest of every table of every file."""
    found = {}
    for store in (stores.instance, *map(stores.group, stores.groups())):
        with reading(store) as conn:
            names = conn.exec_driver_sql(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
            )
            for name in names.scalars().all():
                found[f"{store.name}.{name}"] = content_hash(conn, name)
    return found


@pytest.mark.parametrize(("line", "field"), LINES.values(), ids=LINES)
def test_a_bad_line_names_its_field_and_changes_nothing(stores, stored, command, line, field):
    before = hashes(stores)
    answer = command(*line)

    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert field in answer.err
    assert len(answer.err) < 500
    assert hashes(stores) == before
    assert stores.groups() == ["main"]


@pytest.mark.parametrize(("line", "field"), LINES.values(), ids=LINES)
def test_a_bad_line_makes_no_installation(home, command, line, field):
    assert command(*line).code in {1, 2}  # what only reads says that nothing is there
    assert not home.exists()


def test_every_bad_line_of_a_file_is_named_and_none_is_written(stores, stored, command):
    before = hashes(stores)
    answer = command(
        *(*WRITE, "--file", "-"),
        stdin=b"\n".join(
            [
                b'{"category": "lesson", "content": "good"}',
                b'{"category": "gossip", "content": "x"}',
                b'{"category": "lesson"}',
                b"not json",
                b'{"category": "lesson", "content": "caf\xe9"}',
                b'{"category": "lesson", "content": "x", "origin": "owner"}',
                b'{"category": "lesson", "content": "x", "occurred_at": "2026-01-05T00:00:00"}',
                b'{"category": "lesson", "content": "x", "metadata": {"a": NaN}}',
                b'{"category": "lesson", "content": "\\ud800"}',
                b'{"category": 7, "content": 7}',
                b"",
                b"[]",
                b'{"category": "lesson", "content": 7, "tags": "x", "type": 3, "metadata": []}',
            ]
        ),
    )

    assert answer.code == 2
    fields = [line.split(": ")[1].rstrip(":") for line in answer.err.splitlines()]
    assert fields == [
        "memories[1].category",
        "memories[2].content",
        "memories[3]",
        "memories[4]",
        "memories[5].origin",
        "memories[6].occurred_at",
        "memories[7].metadata",
        "memories[8].content",
        "memories[9].category",
        "memories[9].content",
        "memories[11]",
        "memories[12].type",
        "memories[12].tags",
        "memories[12].metadata",
    ]
    # The same mistake on another line is told on the line of the first one.
    assert (
        "is not JSON (Expecting value: line 1 column 1 (char 0)) (also memories[10])" in answer.err
    )
    assert "memories[9].content: 7 is not text (also memories[12])" in answer.err
    assert hashes(stores) == before


def test_a_mistake_that_many_lines_make_is_one_line(stored, command):
    lines = [
        f'{{"category": "gossip", "content": "x", "occurred_at": "2026-01-{day:02}"}}\n'
        for day in range(1, 11)
    ]
    answer = command(*WRITE, "--file", "-", stdin="".join(lines))

    assert answer.code == 2
    moment, category = answer.err.splitlines()
    also = "(also memories[1], memories[2], memories[3] and 6 more)"
    assert moment.startswith("afterword: memories[0].occurred_at: ") and also in moment
    assert category.startswith("afterword: memories[0].category: 'gossip' is unknown (also ")
    assert also in category


def test_only_the_first_mistakes_of_a_hopeless_file_are_named(stored, command):
    letters = "abcdefghij"
    lines = [
        f'{{"category": "{one}{two}", "content": "x"}}\n' for one in letters for two in letters
    ]
    answer = command(*WRITE, "--file", "-", stdin="".join(lines))

    assert len(answer.err.splitlines()) == 21
    assert answer.err.endswith("afterword: and 80 more\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"category": "lesson", "content": "x"}]', "is a JSON array"),
        ('\ufeff [\n{"category": "lesson", "content": "x"}\n]\n', "is a JSON array"),
    ],
    ids=["on one line", "over lines"],
)
@pytest.mark.parametrize("line", [WRITE, ("role", "record")], ids=" ".join)
def test_a_json_array_says_so_once_and_how_to_make_lines_of_it(
    home, command, tmp_path, line, text, said
):
    file = tmp_path / "all.json"
    file.write_text(text, encoding="utf-8")
    answer = command(*line, "--file", str(file))

    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert said in answer.err
    assert f"`jq -c '.[]' {file}`" in answer.err
    assert not home.exists()


@pytest.mark.parametrize("line", [WRITE, ("role", "record")], ids=" ".join)
def test_a_file_that_does_not_exist_is_told_by_its_path(home, command, tmp_path, line):
    missing, folder = tmp_path / "nope.jsonl", tmp_path

    assert f"file: {missing} does not exist;" in command(*line, "--file", str(missing)).err
    assert (
        f"file: {folder} cannot be read (Is a directory)"
        in command(*line, "--file", str(folder)).err
    )
    assert not home.exists()


def test_a_line_without_end_is_refused_before_it_is_read(stored, command):
    answer = command(*WRITE, "--file", "-", stdin=b'{"content": "' + b"x" * 1_100_000)

    assert answer.code == 2
    assert answer.err.startswith("afterword: memories[0]: is too long")


def test_more_lines_than_one_write_takes_are_refused(stored, command):
    line = b'{"category": "lesson", "content": "x"}\n'
    answer = command(*WRITE, "--file", "-", stdin=line * 100_001)

    assert answer.code == 2
    assert "file: is too large" in answer.err


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("AFTERWORD_HOEM", "/tmp", "did you mean AFTERWORD_HOME?"),
        ("AFTERWORD_MMAP_MB", "many", "AFTERWORD_MMAP_MB: 'many' is not a whole number"),
        ("AFTERWORD_SYNCHRONOUS", "OFF", "AFTERWORD_SYNCHRONOUS:"),
        ("AFTERWORD_GROUP", "a/b", "group:"),
        ("AFTERWORD_GROUP_CAPS_USD", "{", "AFTERWORD_"),
    ],
)
def test_a_bad_setting_stops_every_command(home, command, variable, value, said):
    for line in ((*WRITE, "lesson", "x"), ("jobs", "ls"), ("config", "check"), ("doctor",)):
        answer = command(*line, env={variable: value})
        assert (answer.code, answer.out) == (2, "")
        assert said in answer.err
    assert not home.exists()
