"""What a record in JSON says: the words of its values, not its names and numbers."""

import json
from collections.abc import Iterator
from typing import Any


def words_of_record(text: str) -> tuple[str, ...] | None:
    """Return the strings of an object or a list in JSON; None if the text is none.

    A name counts if it has more than one word: a venue's names have not.
    """
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return tuple(_strings(json.loads(text)))
    except (ValueError, RecursionError):
        return None


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if " " in name:
                yield name
            yield from _strings(one)
