"""The export of Claude: what it remembers of all conversations, and of each project."""

from collections.abc import Iterator
from typing import Any, Final

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.bundles.model import ForeignMemory, Found, NotCarried
from afterword.pipeline.operations.bundles.texts import json_of, parts_of, said

_MEMORY: Final = "conversations_memory"
_PROJECTS: Final = "project_memories"


class ClaudeReader:
    """Reads `memories.json` of the export of an account, or the files in `memories/`."""

    name = "claude"

    def recognises(self, tree: PlainTree) -> bool:
        """Say whether a file of memories has the memory of conversations."""
        return any(_accounts(tree, path) for path in tree.files if _is_memories(path))

    def read(self, tree: PlainTree, path: str) -> Iterator[Found]:
        """Yield each part of the memories, or why the file has none."""
        if not _is_memories(path):
            yield NotCarried(path, "no memory: a conversation, a project or an account")
            return
        for account in _accounts(tree, path):
            yield from _parts(path, account.get(_MEMORY), {})
            projects = account.get(_PROJECTS)
            for project, text in projects.items() if isinstance(projects, dict) else ():
                yield from _parts(path, text, {"project": str(project)[:200]})
            for name in account:
                if name not in (_MEMORY, _PROJECTS, "account_uuid") and account[name]:
                    yield NotCarried(path, f"{name!a:.40}: of a form that is not known")


def _parts(path: str, text: Any, metadata: dict[str, str]) -> Iterator[Found]:
    for title, part in parts_of(text) if isinstance(text, str) else ():
        yield ForeignMemory(path, said(title, part), "personalization", metadata=metadata)


def _is_memories(path: str) -> bool:
    return path == "memories.json" or (path.startswith("memories/") and path.endswith(".json"))


def _accounts(tree: PlainTree, path: str) -> list[dict[str, Any]]:
    try:
        document = json_of(tree, path)
    except InvalidInputError:
        return []
    accounts = document if isinstance(document, list) else [document]
    return [one for one in accounts if isinstance(one, dict) and _MEMORY in one]
