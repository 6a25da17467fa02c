"""The embedder that pays: no request leaves without its worst case reserved."""

from collections.abc import Sequence
from functools import partial
from typing import Final
from unicodedata import normalize

from pipeline.budget import Budget, Price, Purpose, estimate_tokens, metered
from pipeline.embedding.openai import OpenAIEmbeddings
from pipeline.errors import InvalidInputError

MOST_TEXTS: Final = 2048
"""Texts one request may hold; OpenAI's API reference, "Create embeddings", `input`."""

TOKENS_AROUND: Final = 16
"""What a service may put around each text: BERT's two marks, or a short prompt such as `query:`."""

SETTLING_S: Final = 60.0
"""Room between a call's deadline and the moment its reservation counts as lost; seconds."""


class MeteredEmbedder:
    """An `Embedder` over one service, paid from one budget; close it when done.

    Args:
        client: what is asked; nothing else may ask it.
        price: what its model costs.
        category: the budget that pays.
    """

    def __init__(
        self, client: OpenAIEmbeddings, budget: Budget, price: Price, category: str
    ) -> None:
        self.provider, self.model, self.dimensions = (
            client.provider,
            client.model,
            client.dimensions,
        )
        self._client, self._budget, self._price = client, budget, price
        self._category = category

    def embed(self, texts: Sequence[str], group: str, task: str) -> list[bytes]:
        """Return one vector per text, by one request (see `Embedder`); none for no texts."""
        if not texts:
            return []
        check_texts(texts)
        return metered(
            self._budget,
            Purpose(self._category, group, task, self.model),
            self._price,
            partial(self._client.ask, texts),
            input_tokens=sum(map(most_tokens, texts)),
            max_output_tokens=0,
            ttl_s=self._client.timeout_s + SETTLING_S,
        )

    def close(self) -> None:
        """Close the connections to the service."""
        self._client.close()


def check_texts(texts: Sequence[str]) -> None:
    """Refuse what no service embeds, before anything is reserved or sent.

    Raises:
        InvalidInputError: too many texts, or one that is empty or cannot be UTF-8.
    """
    if len(texts) > MOST_TEXTS:
        raise InvalidInputError("texts", f"holds {len(texts)}", f"{MOST_TEXTS} texts at most")
    for index, text in enumerate(texts):
        field = f"texts[{index}]"
        if not text:
            raise InvalidInputError(field, "is empty", "at least one character")
        try:
            text.encode()
        except UnicodeEncodeError:
            accepted = "text without lone surrogates"
            raise InvalidInputError(field, "cannot be written as UTF-8", accepted) from None


def most_tokens(text: str) -> int:
    """Return more tokens than a service can count for a text.

    A cost above the reservation stops all spending, so no text may bring that about: some
    tokenizers fold a text to NFKC first, where one character can become eighteen.
    """
    return max(estimate_tokens(text), estimate_tokens(normalize("NFKC", text))) + TOKENS_AROUND
