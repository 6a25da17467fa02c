"""What an embedder is."""

from collections.abc import Callable, Sequence
from typing import Protocol

from afterword.pipeline.gateway.budget import Reply

Ask = Callable[[Sequence[str]], Reply[list[bytes]]]
"""One request for the vectors of texts."""


class Embedder(Protocol):
    """Turns texts into vectors. Provider, model and dimensions are the identity of its vectors."""

    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str], group: str, task: str) -> list[bytes]:
        """Return one vector per text, in order.

        Args:
            texts: what to embed; none empty.
            group: whose memory it is, for the budget.
            task: what it is for, such as `embed_memories`, for the budget.

        Returns:
            Vectors of `dimensions` little-endian float32, 4 x dimensions bytes each.

        Raises:
            InvalidInputError: the service will never take these texts.
            UnavailableError: no usable reply; an `AskFailedError` may say when to try again.
            PostponedError: the budget is spent, or the service is left alone for now.
        """
        ...

    def embed_query(self, query: str, group: str, task: str) -> bytes:
        """Return the vector of a question, to compare with those of texts; raises like `embed`.

        Some models tell a question from a text that may answer it.
        """
        ...


class EmbeddingClient(Protocol):
    """What can be asked for vectors, over a network or in this process; it knows no money."""

    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def timeout_s(self) -> float: ...

    def ask(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Return vectors of texts to be found, and the tokens read."""
        ...

    def ask_query(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Return vectors of questions, and the tokens read."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...
