"""Reflect on the decisions of a role: as a job, one pass; at a person's request, all passes.

A pass goes through the steps of `steps`, in that order.
"""

from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.decisions import due_rows
from afterword.pipeline.domain.decisions.tally import Tally, tally_all
from afterword.pipeline.domain.reflection.judging import judge
from afterword.pipeline.domain.reflection.model import Pass, Reflector
from afterword.pipeline.domain.reflection.steps import (
    MAX_JUDGED,
    look_back,
    measure,
    ripe,
    settle_free,
)
from afterword.pipeline.domain.skills import Custom, Role
from afterword.pipeline.errors import PostponedError

_BATCH: Final = 500
"""Decisions of one pass with a judge that asks no model: its write takes 20 ms."""

MAX_PROBED: Final = 200
"""Decisions of one such pass where the role has post-hoc sources, which may be slow."""


def run_pass(of: Reflector, role: Role) -> Pass:
    """Make one pass over a role's ripe decisions, the oldest first.

    Raises:
        PostponedError: the judge may not be asked now; what was settled before stays.
        LeaseLostError: another worker has the job by now.
    """
    run = Pass(role, of.clock(), _limit(of, role))
    run = look_back(of, settle_free(of, measure(of, ripe(of, run))))
    try:
        return judge(of, run)
    except PostponedError:
        _settle_more_for_free(of, run)
        raise


def reflect_entries(reflector: Reflector, leases: Leases) -> Tally:
    """Do the job `reflect_entries`: one pass over its role; if more is ripe, another job goes on.

    If no skill declares the role any more, the job ends without effect.

    Raises:
        PostponedError: the judge may not be asked now; what was settled before stays.
        LeaseLostError: another worker has the job by now.
    """
    role_ids = dict.fromkeys(str(lease.payload["role"]) for lease in leases)
    roles = [role for role_id in role_ids if (role := reflector.registry.find(role_id)) is not None]
    passes = [run_pass(reflector, role) for role in roles]
    with writing(reflector.store, finishing=leases) as conn:
        for done in passes:
            now = reflector.clock()
            reflector.effects.plan_next(conn, done.role, now, done.tally, is_full=done.is_full)
    return tally_all([done.tally for done in passes])


def reflect_role(reflector: Reflector, role_id: str, *, parked: bool = False) -> Tally:
    """Reflect on all ripe decisions of a role now, pass by pass.

    Args:
        parked: also on those that are parked, or wait after a failed question.

    Raises:
        NotFoundError: no skill declares the role.
        PostponedError: the judge may not be asked now; what was settled before stays.
    """
    role = reflector.registry.role(role_id)
    if parked:
        with writing(reflector.store) as conn:
            due_rows.retry_all(conn, role.id, to_micros(reflector.clock()))
    tallies: list[Tally] = []
    while True:
        done = run_pass(reflector, role)
        tallies.append(done.tally)
        if not done.is_full or done.tally == Tally():
            return tally_all(tallies)


def _limit(of: Reflector, role: Role) -> int:
    """Return how many decisions one pass measures."""
    if isinstance(role.reflection_policy.outcome_probe, Custom):
        return MAX_JUDGED  # it may ask a service about each decision
    if of.judge.at_once:
        return 2 * MAX_JUDGED
    return MAX_PROBED if role.reflection_policy.post_hoc_probes else _BATCH


def _settle_more_for_free(of: Reflector, run: Pass) -> None:
    """Settle other decisions that need no judge: they must not wait until one may be asked."""
    if isinstance(run.role.reflection_policy.outcome_probe, Custom):
        return  # it may ask a service
    seen = frozenset(measured.decision.id for measured in run.measured)
    settle_free(of, measure(of, ripe(of, Pass(run.role, of.clock(), _BATCH, seen))))
