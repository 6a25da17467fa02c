"""Tags of the first version are renamed where the words are equal, and left out otherwise."""

import json
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.profile.declare import upsert_tag
from afterword.pipeline.domain.profile.tags import list_tags
from afterword.pipeline.rules.user_tags.first_version import renamed_tag

FIRST = {
    "Risk Profile": "Conservative",
    "Web3 Knowledge Level": "Experienced",
    "Decision-Making Style": "News-Event",
    "Asset Preference": ["Memes", "crypto majors"],
    "FOMO Index": "Very Low",
    "Asset Tier": "tier_3",
    "Trading Frequency": "Daily",
    "Learning Preference": "Videos",
    "Shoe Size": "44",
    "Greed Index": "Enormous",
}
RENAMED = {
    ("risk", "conservative"),
    ("web3_knowledge_level", "level_3"),
    ("style", "news_event"),
    ("markets", '["crypto_majors", "memes"]'),
    ("FOMO Index", "Very Low"),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tags.json"
    path.write_text(json.dumps(FIRST))
    return path


def stored(store) -> set[tuple[str, str]]:
    return {(tag.dimension, tag.value) for tag in list_tags(store)}


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(command, store, file):
    with reading(store) as conn:
        before = conn.exec_driver_sql("SELECT count(*) FROM audit_log").scalar_one()

    said = command("profile", "tags", "migrate", str(file)).out

    assert "5 of 10 tags would be taken over; --apply does it" in said
    assert "left out: the dimension was retired" in said
    assert "left out: no dimension has this name" in said
    assert "left out: Greed Index has no value of these words" in said
    assert stored(store) == set()
    with reading(store) as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM audit_log").scalar_one() == before


def test_applied_twice_it_takes_over_once(command, store, file):
    command("profile", "tags", "migrate", str(file), "--apply")
    again = command("profile", "tags", "migrate", str(file), "--apply").out

    assert stored(store) == RENAMED
    assert {tag.source for tag in list_tags(store)} == {"inferred"}
    assert "0 of 10 tags were taken over" in again
    assert "risk is Conservative already, as was concluded" in again


def test_a_row_keeps_its_source_and_never_replaces_what_stands(command, store, owner, tmp_path):
    upsert_tag(owner, "risk", "aggressive")
    rows = [
        {"dimension": "Risk Profile", "value": "Balanced", "source": "user"},
        {"dimension": "Decision-Making Style", "value": "technical", "source": "user"},
        {"dimension": "style", "value": "narrative", "source": "user"},
        {"dimension": "FUD Immunity", "value": "Weak", "source": "somebody"},
    ]
    (tmp_path / "rows.json").write_text(json.dumps(rows))

    said = command("profile", "tags", "migrate", str(tmp_path / "rows.json"), "--apply").out

    assert "risk is Aggressive already, as you declared" in said
    assert "its source 'somebody' is none of user" in said
    assert stored(store) == {("risk", "aggressive"), ("style", "technical")}


@pytest.mark.parametrize(
    "value", ["Memes, Stocks", "meme", 3, None, [], ["Memes", "Art"], {"a": 1}, '["memes"', True]
)
def test_a_value_of_other_words_is_left_out_and_never_guessed(value: Any):
    renamed = renamed_tag({"dimension": "Asset Preference", "value": value})

    assert (renamed.dimension, renamed.value) == (None, None)
    assert renamed.left_out == "markets has no value of these words"


def test_markets_may_be_the_text_of_their_list():
    renamed = renamed_tag({"dimension": "Asset Preference", "value": '["Memes", "memes"]'})

    assert renamed.value == '["memes"]'


@pytest.mark.parametrize("text", ["", "[1]", '"risk"', "{", "[" * 5_000, "[{}]" + " " * 9])
def test_a_file_of_something_else_is_refused_or_left_out(command, home, tmp_path, text: str):
    (tmp_path / "other.json").write_text(text)

    done = command("profile", "tags", "migrate", str(tmp_path / "other.json"), "--apply")

    assert done.code != 0 or "0 of 1 tags were taken over" in done.out
