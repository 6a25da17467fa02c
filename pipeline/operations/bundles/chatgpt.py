"""The export of ChatGPT: recognised, so that it can be said why nothing of it is carried."""

from collections.abc import Iterator

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.operations.bundles.model import Found, NotCarried


class ChatGptReader:
    """Tells what the export of ChatGPT lacks: it has conversations, and no file of memories."""

    name = "chatgpt"

    def recognises(self, tree: PlainTree) -> bool:
        """Say whether it has the page or the feedback that only this export has."""
        return "conversations.json" in tree.files and bool(
            {"chat.html", "message_feedback.json", "shared_conversations.json"} & set(tree.files)
        )

    def read(self, tree: PlainTree, path: str) -> Iterator[Found]:  # noqa: ARG002
        """Say that no file holds what was remembered."""
        yield NotCarried(
            path,
            "the export of ChatGPT has no file of its memories; write what"
            " its settings list with `afterword memory write`",
        )
