"""Tags of the first version as tags of today: renamed where the words are equal, never guessed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from afterword.pipeline.rules.user_tags.schema import (
    LABELS,
    MARKETS_TAG,
    TAG_SOURCES,
    TagSource,
    serialize_tag_value,
)

_RENAMED: Final = {
    "Risk Profile": "risk",
    "Web3 Knowledge Level": "web3_knowledge_level",
    "Decision-Making Style": "style",
    "Asset Preference": MARKETS_TAG,
}
_RETIRED: Final = frozenset({"Asset Tier", "Trading Frequency", "Learning Preference"})


@dataclass(frozen=True, slots=True)
class RenamedTag:
    """A tag of the first version, and what it is today.

    Args:
        name: its dimension as it was written.
        given: its value, as text.
        dimension: None where it has no successor.
        value: as it is stored; None where the tag is left out.
        left_out: why it is left out; empty if it is not.
    """

    name: str
    given: str
    source: TagSource
    dimension: str | None = None
    value: str | None = None
    left_out: str = ""


def renamed_tag(row: Mapping[str, object]) -> RenamedTag:
    """Return what a row of the first version is today.

    Args:
        row: its `dimension`, `value` and `source`. A row without a source was inferred: nobody is
            said to have declared what nothing says so of.
    """
    name, given, source = row.get("dimension"), row.get("value"), row.get("source", "inferred")
    tag = RenamedTag(_text(name), _text(given), "inferred")
    if source not in TAG_SOURCES:
        return _left_out(tag, f"its source {_text(source)!a} is none of {', '.join(TAG_SOURCES)}")
    tag = RenamedTag(tag.name, tag.given, source)
    if name in _RETIRED:
        return _left_out(tag, "the dimension was retired")
    dimension = _RENAMED.get(tag.name, tag.name)
    if not isinstance(name, str) or dimension not in LABELS:
        return _left_out(tag, "no dimension has this name")
    values = [_same_words(dimension, value) for value in _values(dimension, given)]
    known = [value for value in values if value is not None]
    if not values or len(known) < len(values):
        return _left_out(tag, f"{dimension} has no value of these words")
    stored = serialize_tag_value(
        dimension, dict.fromkeys(known) if dimension == MARKETS_TAG else known[0]
    )
    return RenamedTag(tag.name, tag.given, source, dimension, stored)


def _left_out(tag: RenamedTag, why: str) -> RenamedTag:
    return RenamedTag(tag.name, tag.given, tag.source, left_out=why)


def _values(dimension: str, given: object) -> list[object]:
    if dimension != MARKETS_TAG:
        return [given]
    if isinstance(given, str) and given.startswith("["):
        try:
            given = json.loads(given)
        except ValueError:
            return [given]
    return list(given) if isinstance(given, list) else [given]


def _same_words(dimension: str, given: object) -> str | None:
    """Return the value with the same words, or with a label of the same words."""
    if not isinstance(given, str):
        return None
    told = _folded(given)
    for value, label in LABELS[dimension].items():
        if told in (_folded(value), _folded(label)):
            return value
    return None


def _folded(words: str) -> str:
    return " ".join(words.replace("_", " ").replace("-", " ").casefold().split())


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
