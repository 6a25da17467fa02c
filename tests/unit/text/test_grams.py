"""Scripts without spaces become search terms."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import migrate
from afterword.pipeline.rules.text.grams import grams


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("long ETH above 3,450", ""),
        ("山寨币", "山寨 寨币 币"),
        ("做多BTC", "做多 多"),
        ("涨", "涨"),
        ("ビットコイン", "ビッ ット トコ コイ イン ン"),
        ("이더리움 매수", "이더 더리 리움 움 매수 수"),
    ],
)
def test_neighbouring_characters_are_words(text: str, found: str):
    assert grams(text) == found


RANGES = (
    *(("Thai to Tibetan", 0x0E00, 0x0FFF), ("Myanmar", 0x1000, 0x109F), ("Khmer", 0x1780, 0x17FF)),
    *(("kana", 0x3040, 0x30FF), ("small kana", 0x31F0, 0x31FF), ("Han A", 0x3400, 0x4DBF)),
    *(("Han", 0x4E00, 0x9FFF), ("Hangul", 0xAC00, 0xD7AF), ("compatible Han", 0xF900, 0xFAFF)),
    ("supplementary Han", 0x20000, 0x3FFFF),
)
"""Scripts without spaces: name, first and last character."""


@pytest.mark.parametrize(("name", "first", "last"), RANGES)
def test_a_script_without_spaces_is_one_from_its_first_character_to_its_last(name, first, last):
    assert grams(chr(first) + chr(last)) == f"{chr(first)}{chr(last)} {chr(last)}"
    within = {code for _, start, end in RANGES for code in (start, end)}
    outside = [code for code in (first - 1, last + 1) if code not in within]
    assert [hex(code) for code in outside if grams(chr(code))] == []


def test_what_stands_between_two_runs_parts_them():
    assert grams("山寨 币。做多") == "山寨 寨 币 做多 多"


def migrated_grams(path: Path, content: str) -> str:
    """Return what the migration makes of a row of an older file."""
    conn = dbapi.connect(str(path), isolation_level=None)
    migrate(conn, "group", upto=4)
    conn.execute(
        "INSERT INTO memories (uid, category, content, origin, behavioral, known_at, created_at,"
        " updated_at) VALUES ('a', 'lesson', ?, 'agent', 0, 1, 1, 1)",
        (content,),
    )
    migrate(conn, "group", upto=5)
    found: str = conn.execute("SELECT grams FROM memories").fetchone()[0]
    conn.close()
    return found


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_rows_of_older_files_get_the_same_words(tmp_path_factory, content: str):
    path = tmp_path_factory.mktemp("old") / "file"

    assert migrated_grams(path, content) == grams(content)


def test_a_long_row_of_an_older_file_is_indexed_too(tmp_path: Path):
    content = "比特币突破前高，以太坊跟涨；" * 300

    assert migrated_grams(tmp_path / "file", content) == grams(content)
