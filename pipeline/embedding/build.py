"""The embedder the settings ask for."""

from pipeline.budget import Budget, price_of
from pipeline.clock import Clock
from pipeline.embedding.metered import MeteredEmbedder
from pipeline.embedding.openai import OpenAIEmbeddings
from pipeline.settings import Settings


def build_embedder(
    settings: Settings, budget: Budget, clock: Clock, category: str = "learning"
) -> MeteredEmbedder | None:
    """Return a metered client of the configured service; None while it is disabled.

    Args:
        budget: what every request is paid from.
        clock: the real present, also in a replay: it reads a server's Retry-After dates.
        category: whose caps hold; `experiment` in a replay.

    Raises:
        InvalidInputError: the model has no price, or address or key can never work.
    """
    if settings.embedding_provider == "disabled":
        return None
    price = price_of(
        settings.embedding_model,
        settings.embedding_usd_per_million_tokens,
        "AFTERWORD_EMBEDDING_USD_PER_MILLION_TOKENS",
    )
    client = OpenAIEmbeddings(
        settings.embedding_base_url,
        settings.embedding_api_key,
        settings.embedding_model,
        settings.embedding_dimensions,
        settings.embedding_timeout_s,
        clock,
    )
    return MeteredEmbedder(client, budget, price, category)
