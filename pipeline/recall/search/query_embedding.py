"""A question's own vector, in time or not at all: a search goes on without it."""

from typing import Final

from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.vectors.embed import is_worth_embedding
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.recall.search.deadline import answer_within

TASK: Final = "search_memories"
"""What a question's vector is booked for."""

PATIENCE_S: Final = 2.0
"""How long a search waits for it; seconds."""


def ask(
    embedder: Embedder | None, query: str, group: str, timeout_s: float = PATIENCE_S
) -> bytes | None:
    """Return the vector of a question, paid by the embedder's own budget.

    Args:
        embedder: None while embeddings are disabled.
        query: as it is searched for.
        timeout_s: how long to wait. An answer that comes later is paid for and thrown away: give
            the embedder a deadline of its own that is not much longer.

    Returns:
        None while embeddings are disabled, for a question without words, and where there was no
        money or no answer in time.
    """
    if embedder is None or not is_worth_embedding(query):
        return None
    # Not the client's deadline alone: money is asked for before it begins, and another process may
    # hold the ledger.
    try:
        return answer_within(timeout_s, lambda: embedder.embed_query(query, group, TASK))
    except TimeoutError:
        emit("recall.failed", reason="the question's vector came too late", seconds=timeout_s)
    except PipelineError as error:
        emit("recall.failed", reason=str(error), error=type(error).__name__)
    return None
