"""Weigh the patterns of a role, have a model word them, and purge their superseded forms."""

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.patterns.purge import purge_patterns, retention_of
from afterword.pipeline.domain.patterns.triggers import word_later
from afterword.pipeline.domain.patterns.weigh import weigh_patterns
from afterword.pipeline.domain.patterns.word import word_patterns
from afterword.pipeline.domain.patterns.writer import WORD
from afterword.pipeline.gateway.switches import Mode
from afterword.workers.worker.context import Work


def weigh(work: Work) -> None:
    """Weigh the patterns of a role; if no skill declares it, the job ends without effect."""
    context, roles = work.context, work.context.decisions.roles
    found = [role for one in _role_ids(work) if (role := roles.find(one)) is not None]
    weigh_patterns(work.store, found, work.now(), level=context.settings.pattern_error)
    wants_words = context.decisions.writer is not None and _mode(work).is_enabled
    with writing(work.store, finishing=work.leases) as conn:
        for role in found:
            if wants_words:
                word_later(conn, role.id, work.now())


def word(work: Work) -> None:
    """Have a model word confirmed patterns; without one the job ends without effect."""
    writer = work.context.decisions.writer
    if writer is not None:
        word_patterns(work.store, writer, _role_ids(work), _mode(work), work.clock)
    with writing(work.store, finishing=work.leases):
        pass


def purge(work: Work) -> None:
    """Remove for good the forms of patterns whose retention after a supersede is over."""
    retention = retention_of(work.context.settings)
    purge_patterns(work.store, work.now(), retention, finishing=work.leases)


def _role_ids(work: Work) -> list[str]:
    return list(dict.fromkeys(str(lease.payload["role"]) for lease in work.leases))


def _mode(work: Work) -> Mode:
    return work.context.switches.mode(WORD)
