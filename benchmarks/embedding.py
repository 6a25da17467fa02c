"""Keep the vectors of a store's memories by the job that a worker runs."""

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES
from afterword.pipeline.domain.vectors.embed import embed_memories
from afterword.pipeline.gateway.embedding.model import Embedder

_AT_ONCE = 64


def embed_waiting(store: Store, embedder: Embedder) -> None:
    """Run the jobs of memories that were written with `embeds=True`."""
    while True:
        with writing(store) as conn:
            sent = [row.id for row in claim(conn, EMBED_MEMORIES.name, _AT_ONCE, system_clock())]
        if not sent:
            return
        with writing(store) as conn:
            leases = lease(conn, sent, "benchmark", system_clock, EMBED_MEMORIES)
        embed_memories(store, leases, embedder, system_clock())
