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

    def read(self, tree: PlainTree) -> Iterator[Found]:
        """Yield each file by name: none holds what was remembered."""
        for path in tree.files:
            yield NotCarried(
                path,
                "the export of ChatGPT has no file of its memories; write what"
                " its settings list with `afterword memory write`",
            )
