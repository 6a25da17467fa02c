"""Purge superseded forms of patterns."""

from afterword.pipeline.domain.patterns.purge import purge_patterns, retention_of
from afterword.workers.worker.context import Work


def purge(work: Work) -> None:
    """Remove for good the forms of patterns whose retention after a supersede is over."""
    retention = retention_of(work.context.settings)
    purge_patterns(work.store, work.now(), retention, finishing=work.leases)
