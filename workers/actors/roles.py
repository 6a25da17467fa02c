"""Extract edges of decisions, and embed them."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.edges import extract_role_edges
from afterword.pipeline.domain.decisions.embed import embed_role_entries
from afterword.workers.worker.context import Work


def extract_edges(work: Work) -> None:
    """Extract the entities and edges of a batch of decisions."""
    extract_role_edges(work.store, work.leases, work.now())


def embed(work: Work) -> None:
    """Embed a batch of decisions; while embeddings are disabled the jobs end without effect."""
    if work.context.embedder is None:
        with writing(work.store, finishing=work.leases):
            return
    embed_role_entries(work.store, work.leases, work.context.embedder, work.now())
