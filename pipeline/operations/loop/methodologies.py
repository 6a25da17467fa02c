"""The steps that score methodologies, and audit the loop itself."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.jobs.has_work import UNKNOWN_START
from afterword.pipeline.domain.audit.area import AUDIT_JOB
from afterword.pipeline.domain.audit.busy import Courtesy, defer_if_busy
from afterword.pipeline.domain.audit.model import AuditReport, AuditTrigger
from afterword.pipeline.domain.audit.run_audit import run_audit
from afterword.pipeline.domain.methodologies import score_rows
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.domain.patterns.read import current
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.domain.synthesis.area import SYNTHESIZE_JOB
from afterword.pipeline.domain.synthesis.model import SynthesisReport
from afterword.pipeline.domain.synthesis.synthesize import INTERVAL, synthesize
from afterword.pipeline.operations.loop.model import Learner, LoopStep


def _synthesize(of: Learner, _roles: Sequence[Role]) -> SynthesisReport | None:
    """Score all methodologies, and decide what becomes of them."""
    if of.synthesis is None:
        return None
    return synthesize(of.synthesis(), "cron", finishing=of.leases)


def methodologies_due(conn: Connection, _roles: Sequence[Role]) -> datetime | None:
    """Return work while a group has methodologies, or what makes some."""
    has_work = score_rows.has_any(conn) or bool(current(conn, None))
    return UNKNOWN_START if has_work else None


SYNTHESIZE_STEP: Final = LoopStep(
    name=SYNTHESIZE_JOB.name,
    run=_synthesize,
    due=methodologies_due,
    every=INTERVAL,
)


class AuditTerms(NamedTuple):
    """How an audit is run; see `run_audit`."""

    courtesy: Courtesy
    uid: str
    trigger: AuditTrigger
    gate: MethodGate
    window_days: int


def _audit(of: Learner, _roles: Sequence[Role]) -> AuditReport | None:
    """Audit the loop; as a job, it waits while an agent is busy, some times at most.

    Raises:
        PostponedError: an agent is busy.
    """
    if of.audit is None:
        return None
    if of.leases is not None:
        defer_if_busy(of.store, of.leases, of.clock())
    return run_audit(*of.audit(), finishing=of.leases)


AUDIT_STEP: Final = LoopStep(
    name=AUDIT_JOB.name,
    run=_audit,
    due=methodologies_due,
    every=timedelta(days=1),
)
