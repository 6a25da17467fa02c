"""A question's own vector, in time or not at all: a search goes on without it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.recall.search.deadline import answer_within
from afterword.pipeline.recall.search.model import Fusion

if TYPE_CHECKING:
    from afterword.pipeline.gateway.embedding.model import Embedder

TASK: Final = "search_memories"
"""What a question's vector is booked for."""

PATIENCE_S: Final = 2.0
"""How long a search waits for it; seconds."""


@dataclass(frozen=True, slots=True)
class LessonOptions:
    """What lessons are compared with a question by.

    Args:
        embedder: asked for the question's vector; without one, or without an answer in time, words
            alone decide.
        fusion: how words and meaning become one order.
        patience_s: how long to wait for the vector; seconds.
    """

    embedder: "Embedder | None" = None
    fusion: Fusion = "scaled"
    patience_s: float = PATIENCE_S


def ask(
    embedder: "Embedder | None", query: str, group: str, timeout_s: float = PATIENCE_S
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
    if embedder is None:
        return None
    from afterword.pipeline.domain.vectors.embed import (
        is_worth_embedding,  # comes with the ledger that pays
    )

    if not is_worth_embedding(query):
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
