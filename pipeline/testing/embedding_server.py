"""An embedding service on loopback with OpenAI's API, which fails on request."""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.faulty_server import FaultyServer, Reply


@dataclass(frozen=True, slots=True)
class EmbeddingRequest:
    """One received request.

    Args:
        headers: by lower-case name.
    """

    headers: Mapping[str, str]
    model: str
    dimensions: int | None
    texts: tuple[str, ...]


def utf8_bytes(text: str) -> int:
    """Count one token per byte."""
    return len(text.encode("utf-8", "replace"))


class EmbeddingServer(FaultyServer[EmbeddingRequest]):
    """A service with its own meter; use it as a context manager.

    `requests` counts the received requests, and `tokens` the processed ones, whatever happened to
    the reply: a provider may bill those.

    Args:
        dimensions: length of the vectors if the request names none.
        count_tokens: the tokenizer; bytes of UTF-8 are an upper bound for a byte-level one.
    """

    def __init__(
        self, dimensions: int = 8, count_tokens: Callable[[str], int] = utf8_bytes
    ) -> None:
        super().__init__("/v1/embeddings")
        self.dimensions = dimensions
        self.count_tokens = count_tokens
        self.tokens = 0

    @property
    def base_url(self) -> str:
        """The base URL for the settings."""
        return f"{self.origin}/v1"

    def read(self, headers: Mapping[str, str], sent: Reply) -> EmbeddingRequest:
        """Return a request as received."""
        return EmbeddingRequest(
            headers, sent["model"], sent.get("dimensions"), tuple(sent["input"])
        )

    def work(self, asked: EmbeddingRequest) -> Reply:
        """Embed the texts, count their tokens, and return the correct reply."""
        tokens = sum(map(self.count_tokens, asked.texts))
        with self.lock:
            self.tokens += tokens
        blobs = HashedEmbedder(asked.dimensions or self.dimensions).embed(asked.texts, "", "")
        return {
            "object": "list",
            "data": [
                {"object": "embedding", "index": index, "embedding": _numbers(blob)}
                for index, blob in enumerate(blobs)
            ],
            "model": asked.model,
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }


def _numbers(blob: bytes) -> list[float]:
    return list(struct.unpack(f"<{len(blob) // 4}f", blob))
