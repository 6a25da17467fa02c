"""The memory log of TradingAgents: decisions in markdown, each with its outcome once known."""

import re
from collections.abc import Iterator
from typing import Final

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.bundles.model import ForeignMemory, Found, NotCarried
from afterword.pipeline.operations.bundles.texts import day_in, text_of

_END: Final = "<!-- ENTRY_END -->"
_TAG: Final = re.compile(
    r"\[(\d{4}-\d{2}-\d{2}) \| ([^|\]]{1,40}) \| ([^|\]]{1,40}) \| ([^\]]{1,200})\]"
)
_REFLECTION: Final = re.compile(r"^REFLECTION:", re.MULTILINE)
_PENDING: Final = "pending"


class TradingAgentsReader:
    """Reads the memory log of TradingAgents."""

    name = "tradingagents"

    def recognises(self, tree: PlainTree) -> bool:
        """Say whether a markdown file has entries of such a log."""
        return any(_is_log(tree, path) for path in tree.files)

    def read(self, tree: PlainTree, path: str) -> Iterator[Found]:
        """Yield each entry as a memory: one with a reflection is a lesson."""
        if not _is_log(tree, path):
            yield NotCarried(path, "no memory log")
            return
        for number, entry in enumerate(text_of(tree, path).split(_END), 1):
            text = entry.strip()
            tag = _TAG.match(text)
            if tag is not None:
                yield _memory(path, text, *tag.groups())
            elif text:
                yield NotCarried(path, f"entry {number} does not begin with date and ticker")


def _memory(
    path: str, text: str, day: str, ticker: str, rating: str, outcome: str
) -> ForeignMemory:
    is_lesson = _REFLECTION.search(text) is not None and outcome.strip() != _PENDING
    return ForeignMemory(
        path,
        text,
        "lesson" if is_lesson else "observation",
        tags=(ticker.strip(), rating.strip()),
        occurred_at=day_in(day),
        metadata={"outcome": outcome.strip()},
    )


def _is_log(tree: PlainTree, path: str) -> bool:
    if not path.lower().endswith(".md"):
        return False
    try:
        text = text_of(tree, path)
    except InvalidInputError:
        return False
    return _END in text and _TAG.match(text.lstrip()) is not None
