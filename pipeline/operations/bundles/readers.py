"""Which program wrote a folder."""

from typing import Final

from afterword.pipeline.core.files.plain_tree import PlainTree
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.bundles.chatgpt import ChatGptReader
from afterword.pipeline.operations.bundles.claude import ClaudeReader
from afterword.pipeline.operations.bundles.hermes import HermesReader
from afterword.pipeline.operations.bundles.mem0 import Mem0Reader
from afterword.pipeline.operations.bundles.model import BundleReader
from afterword.pipeline.operations.bundles.openclaw import OpenClawReader
from afterword.pipeline.operations.bundles.trading_agents import TradingAgentsReader

READERS: Final[tuple[BundleReader, ...]] = (
    TradingAgentsReader(),
    ChatGptReader(),
    ClaudeReader(),
    Mem0Reader(),
    HermesReader(),
    OpenClawReader(),
)
"""The first that recognises a folder reads it: the most certain ones come first."""


def reader_of(tree: PlainTree, named: str | None) -> BundleReader:
    """Return the reader of a folder.

    Args:
        named: the program that wrote it, if the owner says so.

    Raises:
        InvalidInputError: no reader of this name, or none that recognises the folder.
    """
    names = ", ".join(reader.name for reader in READERS)
    if named is not None:
        for reader in READERS:
            if reader.name == named:
                return reader
        raise InvalidInputError("from", f"{named[:40]!a} is no program that is known", names)
    for reader in READERS:
        if reader.recognises(tree):
            return reader
    problem = "is of no program that is known"
    raise InvalidInputError("folder", problem, f"an export of Afterword, or one of {names}")
