"""The workspace of OpenClaw: what its agent and its owner noted, in markdown."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.operations.bundles.model import ForeignMemory, Found, NotCarried
from afterword.pipeline.operations.bundles.texts import day_in, parts_of, said, text_of

_RULES: Final = {
    "SOUL.md": "how an agent is to be",
    "AGENTS.md": "instructions to an agent",
    "IDENTITY.md": "who the agent is",
    "TOOLS.md": "notes on tools",
    "HEARTBEAT.md": "tasks of a schedule",
    "BOOTSTRAP.md": "the first turn of an agent",
    "BOOT.md": "the start of an agent",
    "DREAMS.md": "a diary of the program",
}
_AS_WORKSPACE: Final = "no memory; prompts have it if the folder is the workspace of the agent"


class OpenClawReader:
    """Reads a workspace of OpenClaw."""

    name = "openclaw"

    def recognises(self, tree: PlainTree) -> bool:
        """Say whether it has the notes of OpenClaw beside the files of an agent."""
        has_notes = any(path.startswith("memory/") for path in tree.files)
        has_memory = bool({"MEMORY.md", "USER.md"} & set(tree.files))
        return (has_notes or has_memory) and bool(has_notes or set(_RULES) & set(tree.files))

    def read(self, tree: PlainTree, path: str) -> Iterator[Found]:
        """Yield each section of a note as a memory, or why the file is none."""
        name = path.rsplit("/", 1)[-1]
        if path in _RULES:
            yield NotCarried(path, f"{_RULES[path]}: {_AS_WORKSPACE}")
        elif not name.lower().endswith(".md"):
            yield NotCarried(path, "not a note in markdown")
        elif path in ("MEMORY.md", "USER.md") or path.startswith(("memory/", "users/")):
            yield from _notes(tree, path, name)
        else:
            yield NotCarried(path, "not a file of OpenClaw's memory")


def _notes(tree: PlainTree, path: str, name: str) -> Iterator[Found]:
    is_personal = name == "USER.md" or path.startswith("memory/preferences/")
    category = "personalization" if is_personal else "observation"
    for title, part in parts_of(text_of(tree, path)):
        yield ForeignMemory(path, said(title, part), category, occurred_at=day_in(name))
