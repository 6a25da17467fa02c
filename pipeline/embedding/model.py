"""What an embedder is, and how asking one can fail."""

from collections.abc import Sequence
from typing import Protocol

from pipeline.errors import UnavailableError


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
            InvalidInputError: the service will never take these texts or settings.
            UnavailableError: no usable reply; an `AskFailedError` may say when to try again.
            BudgetExceededError: nothing was sent.
        """
        ...


class AskFailedError(UnavailableError):
    """The embedding service was asked and gave no usable reply; it may bill the request.

    Args:
        message: what happened, without a word of the reply.
        retry_after_s: the pause the service asks for; seconds.
    """

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
