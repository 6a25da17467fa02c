"""Build the embedder that the settings describe.

The clients load numpy or an HTTP client, so only the configured one is imported.
"""

from typing import TYPE_CHECKING

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.gateway.budget import SETTLING_S, Budget, Price, price_of
from afterword.pipeline.gateway.embedding.metered import MeteredEmbedder
from afterword.pipeline.gateway.embedding.model import EmbeddingClient
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName

if TYPE_CHECKING:
    from afterword.pipeline.settings import Settings

FREE = Price(0, 0, as_of=None)
"""Price of a model on this machine; the budget checks it like any other."""


def build_embedder(
    settings: "Settings",
    instance: Store,
    budget: Budget,
    clock: Clock,
    category: str = "learning",
    timeout_s: float | None = None,
) -> MeteredEmbedder | None:
    """Return the configured embedder; None while it is disabled.

    Args:
        instance: the installation's `instance.sqlite`, which holds the circuit of the service.
        budget: pays for each request.
        clock: the real present, in a replay too, since it reads Retry-After dates.
        category: budget category that pays; `agent` for queries of an agent, `experiment` in a
            replay.
        timeout_s: deadline of one call, instead of the setting's; seconds.

    Raises:
        InvalidInputError: the model has no price or is not installed, or the address or key can
            never work.
    """
    if settings.embedding_provider == "disabled":
        return None
    client: EmbeddingClient
    if settings.embedding_provider == "local":
        from afterword.pipeline.gateway.embedding.local import LocalEmbeddings

        client, price = LocalEmbeddings(), FREE
    else:
        client, price = _remote(settings, clock, timeout_s)
    breaker = embedding_breaker(settings, instance, clock)
    return MeteredEmbedder(client, breaker, budget, price, category)


def embedding_breaker(settings: "Settings", instance: Store, clock: Clock) -> Breaker:
    """Return the circuit breaker of the configured service."""
    from afterword.pipeline.gateway.http.address import setup_of

    setup = setup_of(settings.embedding_base_url, settings.embedding_api_key)
    name = CircuitName(settings.embedding_provider, settings.embedding_model, setup)
    return Breaker(instance, name, clock, settings.embedding_timeout_s + SETTLING_S)


def _remote(
    settings: "Settings", clock: Clock, timeout_s: float | None
) -> tuple[EmbeddingClient, Price]:
    from afterword.pipeline.gateway.embedding.openai import OpenAIEmbeddings

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
        timeout_s or settings.embedding_timeout_s,
        clock,
    )
    return client, price
