"""Search page by page: each page goes on where the one before ended."""

from dataclasses import replace
from datetime import datetime

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.store import Store
from afterword.pipeline.errors import ConflictError
from afterword.pipeline.recall.search.model import MAX_HITS, Hit, Scope
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import readable
from afterword.pipeline.recall.search.search import search

HitPlace = tuple[int, int]
"""Where the next page goes on: a moment (microseconds), and the id of a memory.

Without a query, when that memory was updated, or of the past became known. With one, the moment of
the first page: every write moves a ranking, so the later pages are of that moment.
"""


def search_page(
    store: Store,
    query: str,
    scope: Scope,
    options: SearchOptions,
    *,
    as_of: datetime | None = None,
    after: HitPlace | None = None,
) -> list[Hit]:
    """Find memories as `search` does, after the place where the page before ended.

    Raises:
        ConflictError: the hit at that place is gone.
        InvalidInputError: as `search`.
    """
    if after is None or not readable(query):
        return search(store, query, scope, options, as_of=as_of, after=after)
    moment, last = from_micros(after[0]), after[1]
    every = search(store, query, scope, replace(options, limit=MAX_HITS), as_of=as_of or moment)
    ids = [hit.memory.id for hit in every]
    if last not in ids:
        raise ConflictError("the hits have changed meanwhile; search again without `after`")
    begin = ids.index(last) + 1
    return every[begin : begin + options.limit]


def place_of(hit: Hit, query: str, as_of: datetime | None, now: datetime) -> HitPlace:
    """Return where the page after a hit goes on.

    Args:
        now: the moment of this page, or of the first one.
    """
    if readable(query):
        return to_micros(as_of or now), hit.memory.id
    memory = hit.memory
    return to_micros(memory.updated_at if as_of is None else memory.known_at), memory.id
