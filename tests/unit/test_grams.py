"""Scripts without spaces become words of the index."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.store.driver import dbapi
from pipeline.store.migrate import migrate
from pipeline.text.grams import grams


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
