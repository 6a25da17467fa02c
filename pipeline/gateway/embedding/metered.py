"""An embedder within the budget: each request reserves its worst case before it is sent."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import (
    SETTLING_S,
    Budget,
    Price,
    Purpose,
    metered,
    most_tokens,
)
from afterword.pipeline.gateway.embedding.model import Ask, EmbeddingClient
from afterword.pipeline.gateway.http.breaker import Breaker

MOST_TEXTS: Final = 2048
"""Texts per request at most. Source: OpenAI's API reference, "Create embeddings", `input`."""

_TOKENS_AROUND: Final = 16
"""Tokens that a service may add to each text: BERT's two marks, or a prompt such as `query:`."""


class MeteredEmbedder:
    """An `Embedder` over one client and one budget; close it after use.

    Args:
        client: computes the vectors; no other code may call it.
        breaker: circuit breaker of its service.
        price: price of its model.
        category: budget category that pays.
    """

    def __init__(
        self, client: EmbeddingClient, breaker: Breaker, budget: Budget, price: Price, category: str
    ) -> None:
        self.provider, self.model, self.dimensions = (
            client.provider,
            client.model,
            client.dimensions,
        )
        self._client, self._breaker, self._budget = client, breaker, budget
        self._price, self._category = price, category

    def embed(self, texts: Sequence[str], group: str, task: str) -> list[bytes]:
        """Return one vector per text, with one request (see `Embedder`); none without texts."""
        return self._ask(self._client.ask, texts, group, task) if texts else []

    def embed_query(self, query: str, group: str, task: str) -> bytes:
        """Return the vector of a search query, with one request (see `Embedder`)."""
        (vector,) = self._ask(self._client.ask_query, [query], group, task)
        return vector

    def close(self) -> None:
        """Close the client."""
        self._client.close()

    def _ask(self, ask: Ask, texts: Sequence[str], group: str, task: str) -> list[bytes]:
        check_texts(texts)
        call = partial(
            metered,
            self._budget,
            Purpose(self._category, group, task, self.model),
            self._price,
            partial(ask, texts),
            input_tokens=sum(most_tokens(text) + _TOKENS_AROUND for text in texts),
            max_output_tokens=0,
            ttl_s=self._client.timeout_s + SETTLING_S,
        )
        return self._breaker.guard(call).content


def check_texts(texts: Sequence[str]) -> None:
    """Reject texts that no service embeds, before money is reserved.

    Raises:
        InvalidInputError: too many texts, or one that is empty or cannot be UTF-8.
    """
    if len(texts) > MOST_TEXTS:
        raise InvalidInputError("texts", f"has {len(texts)} texts", f"{MOST_TEXTS} texts at most")
    for index, text in enumerate(texts):
        field = f"texts[{index}]"
        if not text:
            raise InvalidInputError(field, "is empty", "at least one character")
        try:
            text.encode()
        except UnicodeEncodeError:
            accepted = "text without lone surrogates"
            raise InvalidInputError(field, "cannot be written as UTF-8", accepted) from None
