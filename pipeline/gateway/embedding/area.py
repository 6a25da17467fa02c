"""Declares embeddings: the settings of the service."""

from typing import Final

from afterword.pipeline.core.area import Area

AREA: Final = Area(
    name="embedding",
    settings=(
        "embedding_provider",
        "embedding_base_url",
        "embedding_api_key",
        "embedding_model",
        "embedding_dimensions",
        "embedding_usd_per_million_tokens",
        "embedding_timeout_s",
    ),
)
