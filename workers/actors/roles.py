"""Extract edges of decisions, embed them, reflect on them, and measure what became of them."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions.edges import extract_role_edges
from afterword.pipeline.domain.decisions.embed import embed_role_entries
from afterword.pipeline.domain.decisions.measure_outcomes import measure_outcomes
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.effects import effects_of
from afterword.pipeline.domain.reflection.judge import CLASSIFY, DRAFT
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_entries
from afterword.pipeline.domain.reflection.setup_walk import SetupWalk
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


def reflect(work: Work) -> None:
    """Reflect on the ripe decisions of a role; if switched off, the job ends without effect."""
    context = work.context
    reflector = Reflector(
        work.store,
        context.decisions.roles,
        context.decisions.judge,
        StoredPrices,
        work.clock,
        effects_of(context.switches.mode(CLASSIFY), context.switches.mode(DRAFT)),
        work.leases,
        standings=SetupWalk(context.settings.pattern_error),
    )
    reflect_entries(reflector, work.leases)


def measure(work: Work) -> None:
    """Measure what became of decisions over the windows of the ladder."""
    measure_outcomes(
        work.store,
        work.leases,
        work.context.decisions.roles,
        StoredPrices,
        work.clock,
        weigh_later,
    )
