"""Extract edges of memories, embed them, and purge expired ones."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.edges.extract import extract_memory_edges
from afterword.pipeline.domain.memory.purge import purge_expired, retention_of
from afterword.pipeline.domain.vectors.embed import embed_memories
from afterword.workers.worker.context import Work


def extract_edges(work: Work) -> None:
    """Extract the entities and edges of a batch of memories."""
    extract_memory_edges(work.store, work.leases, work.now())


def embed(work: Work) -> None:
    """Embed a batch of memories; while embeddings are disabled the jobs end without effect."""
    if work.context.embedder is None:
        with writing(work.store, finishing=work.leases):
            return
    embed_memories(work.store, work.leases, work.context.embedder, work.now())


def purge(work: Work) -> None:
    """Remove for good the memories whose retention after a deletion or a supersede is over."""
    retention = retention_of(work.context.settings)
    purge_expired(work.store, work.now(), retention, finishing=work.leases)
