"""How a search works, as one value that every layer passes on whole."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from afterword.pipeline.recall.search.model import Fusion

if TYPE_CHECKING:  # loaded by a search, not by the doors that pass its options on
    from afterword.pipeline.gateway.embedding.model import Embedder
    from afterword.pipeline.recall.search.vectors import VectorIndex

EMBED_TIMEOUT_S: Final = 2.0
"""How long a search waits for the vector of its query, where no setting says otherwise."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a query is compared with memories or lessons, and how much is returned.

    Args:
        limit: results at most; 1 to `MAX_HITS`.
        min_relevance: leave out what covers less of the query, 0 to 1; memories only, and not where
            nothing was asked for.
        explain: return with each hit why it came where it came; memories only.
        embedder: embeds the query; without one, or without an answer in time, words alone decide.
        index: this process's vectors of the store; made for one search if missing. Lessons are few
            and compared without it.
        fusion: how words and meaning become one order.
        embed_timeout_s: how long to wait for the query's vector; seconds.
    """

    limit: int = 20
    min_relevance: float = 0.0
    explain: bool = False
    embedder: "Embedder | None" = None
    index: "VectorIndex | None" = None
    fusion: Fusion = "scaled"
    embed_timeout_s: float = EMBED_TIMEOUT_S
