"""The protocols of an embedder and of the client below it."""

from collections.abc import Callable, Sequence
from typing import Protocol

from afterword.pipeline.gateway.budget import Reply

Ask = Callable[[Sequence[str]], Reply[list[bytes]]]
"""Requests the vectors of texts."""


class Embedder(Protocol):
    """Turns texts into vectors; only vectors of one provider, model and size are comparable."""

    @property
    def provider(self) -> str:
        """Return the name of the service that computes the vectors."""
        ...

    @property
    def model(self) -> str:
        """Return the model that computes them, as the service names it."""
        ...

    @property
    def dimensions(self) -> int:
        """Return how many float32 a vector has; count."""
        ...

    def embed(self, texts: Sequence[str], group: str, task: str) -> list[bytes]:
        """Return one vector per text, in order.

        Args:
            texts: what to embed; none empty.
            group: the group that the budget charges.
            task: purpose of the call for the budget, such as `embed_memories`.

        Returns:
            Vectors of `dimensions` little-endian float32, 4 x dimensions bytes each.

        Raises:
            InvalidInputError: the service never accepts these texts.
            UnavailableError: no usable reply; an `AskFailedError` may say when to try again.
            PostponedError: the budget is spent, or the circuit is open.
        """
        ...

    def embed_query(self, query: str, group: str, task: str) -> bytes:
        """Return the vector of a search query; raises like `embed`.

        Some models encode a query differently from a text.
        """
        ...


class EmbeddingClient(Protocol):
    """Computes vectors, over a network or in this process, without checking the budget."""

    @property
    def provider(self) -> str:
        """Return the name of the service that computes the vectors."""
        ...

    @property
    def model(self) -> str:
        """Return the model that computes them, as the service names it."""
        ...

    @property
    def dimensions(self) -> int:
        """Return how many float32 a vector has; count."""
        ...

    @property
    def timeout_s(self) -> float:
        """Return the longest time that one request may take; seconds."""
        ...

    def ask(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Return the vectors of texts, and the tokens read."""
        ...

    def ask_query(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Return the vectors of search queries, and the tokens read."""
        ...

    def close(self) -> None:
        """Release connections or memory."""
        ...
