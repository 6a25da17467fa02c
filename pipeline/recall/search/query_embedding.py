"""The vector of a query, in time or not at all: a search goes on without it."""

from typing import Final

from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.recall.search.deadline import answer_within
from afterword.pipeline.recall.search.options import SearchOptions

TASK: Final = "search_memories"
"""The task that the cost of a query's vector is booked under."""


def embed_query(query: str, group: str, options: SearchOptions) -> bytes | None:
    """Return the vector of a query, paid from the embedder's own budget.

    An answer that comes after `options.embed_timeout_s` is paid for and thrown away: give the
    embedder a deadline of its own that is not much longer.

    Args:
        query: as `readable` returns it.
        group: the group that pays.

    Returns:
        None while embeddings are disabled, for a query without words, and where there was no money
        or no answer in time.
    """
    embedder, timeout_s = options.embedder, options.embed_timeout_s
    if embedder is None:
        return None
    from afterword.pipeline.domain.vectors.embed import is_worth_embedding  # loads the budget

    if not is_worth_embedding(query):
        return None
    # The client's deadline is not enough: the budget is asked before it begins, and another
    # process may hold the ledger.
    try:
        return answer_within(timeout_s, lambda: embedder.embed_query(query, group, TASK))
    except TimeoutError:
        emit("recall.failed", reason="the question's vector came too late", seconds=timeout_s)
    except PipelineError as error:
        emit("recall.failed", reason=str(error), error=type(error).__name__)
    return None
