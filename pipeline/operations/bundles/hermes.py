"""The memory files of Hermes Agent: entries parted by a paragraph sign."""

import re
from collections.abc import Iterator
from typing import Final

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.operations.bundles.model import ForeignMemory, Found, NotCarried
from afterword.pipeline.operations.bundles.texts import text_of

_ENTRY_END: Final = re.compile(r"\n[ \t]*§[ \t]*\n")
_CATEGORIES: Final = {"MEMORY.md": "observation", "USER.md": "personalization"}


class HermesReader:
    """Reads the memory files of Hermes Agent, in its home or alone in a folder."""

    name = "hermes"

    def recognises(self, tree: PlainTree) -> bool:
        """Say whether it has memory files, alone, in a folder of memories or with entries."""
        places = [path for path in tree.files if _name(path) in _CATEGORIES]
        if any(path.startswith(("memories/", "memory/MEMORY", "memory/USER")) for path in places):
            return True
        is_alone = not any(path.startswith("memory/") for path in tree.files)
        return bool(places) and is_alone and "SOUL.md" not in tree.files

    def read(self, tree: PlainTree, path: str) -> Iterator[Found]:
        """Yield each entry of a memory file, or why the file is none."""
        category = _CATEGORIES.get(_name(path))
        if category is None:
            yield NotCarried(path, "not a memory file of Hermes Agent (MEMORY.md, USER.md)")
            return
        for entry in _ENTRY_END.split(f"\n{text_of(tree, path)}\n"):
            if entry.strip():
                yield ForeignMemory(path, entry.strip(), category)


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]
