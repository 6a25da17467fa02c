"""Exports of mem0 and OpenMemory: JSON with a list of memories."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.bundles.model import ForeignMemory, Found, NotCarried
from afterword.pipeline.operations.bundles.texts import json_of, moment_of

_LISTS: Final = ("memories", "results")
_TEXTS: Final = ("memory", "content", "text", "data")
_WHEN: Final = ("created_at", "timestamp", "date")
_GONE: Final = ("deleted", "archived")
_BESIDE: Final = ("relations", "graph", "entities", "apps", "users")
_MOST_TAGS: Final = 10
_TAG_CHARS: Final = 50


class Mem0Reader:
    """Reads JSON of mem0 or OpenMemory: a list of memories, or an object with one."""

    name = "mem0"

    def recognises(self, tree: PlainTree) -> bool:
        """Say whether all files are JSON, and one has a list of memories."""
        paths = list(tree.files)
        if not paths or not all(path.lower().endswith(".json") for path in paths):
            return False
        return any(_has_memories(tree, path) for path in paths)

    def read(self, tree: PlainTree, path: str) -> Iterator[Found]:
        """Yield each memory of a list, and what is beside the list by name."""
        document = json_of(tree, path)
        entries = _entries(document)
        if entries is None:
            yield NotCarried(path, "no list of memories")
            return
        if isinstance(document, dict):
            beside = [name for name in document if name not in _LISTS]
            for name in beside:
                why = "a graph" if name in _BESIDE else "a note on the export"
                yield NotCarried(path, f"{name!a:.40}: {why}, no memory")
        for number, entry in enumerate(entries):
            yield _found(path, number, entry)


def _found(path: str, number: int, entry: Any) -> Found:
    if not isinstance(entry, dict):
        return NotCarried(path, f"memories[{number}] is no object")
    content = next((entry[name] for name in _TEXTS if isinstance(entry.get(name), str)), "")
    if not content.strip():
        return NotCarried(path, f"memories[{number}] has no text")
    if entry.get("state") in _GONE or entry.get("deleted_at"):
        return NotCarried(path, f"memories[{number}] was deleted there")
    inner = entry.get("metadata")
    metadata: Mapping[str, Any] = inner if isinstance(inner, dict) else {}
    whens = [place.get(name) for place in (entry, metadata) for name in _WHEN]
    occurred_at = next(filter(None, map(moment_of, whens)), None)
    rest = {
        name: value
        for name, value in entry.items()
        if name not in (*_TEXTS, "tags", "categories", "metadata")
    }
    return ForeignMemory(
        path,
        content.strip(),
        tags=_tags(entry),
        occurred_at=occurred_at,
        metadata={**metadata, **rest},
    )


def _tags(entry: Mapping[str, Any]) -> tuple[str, ...]:
    given = entry.get("tags") or entry.get("categories") or []
    texts = [tag for tag in given if isinstance(tag, str)] if isinstance(given, list) else []
    return tuple(dict.fromkeys(tag.strip()[:_TAG_CHARS] for tag in texts if tag.strip()))[
        :_MOST_TAGS
    ]


def _has_memories(tree: PlainTree, path: str) -> bool:
    try:
        entries = _entries(json_of(tree, path))
    except InvalidInputError:
        return False
    return any(
        isinstance(entry, dict) and any(isinstance(entry.get(name), str) for name in _TEXTS)
        for entry in (entries or ())[:10]
    )


def _entries(document: Any) -> list[Any] | None:
    if isinstance(document, dict):
        document = next((document[name] for name in _LISTS if name in document), None)
    return document if isinstance(document, list) else None
