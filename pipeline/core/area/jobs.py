"""What a room declares of its work: kinds of jobs, their steps, switches and the schedule."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Misfire = Literal["once", "skip", "catch_up"]
"""What happens to slots that passed while no dispatcher ran; `schedules/due.py` has the rules."""
Overlap = Literal["allow", "skip"]
"""Whether the job of a slot may exist beside the job of an earlier slot."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of work and its limits.

    Args:
        name: `verb_noun`, as stored in the ledger.
        batch: most rows of one message; 1 for work that asks a model.
        deadline_s: how long one run may take before another worker gets the job; seconds.
        max_attempts: failed runs after which the job is dead-lettered.
        resend_after_s: how long a message may wait for a worker before it is sent again; seconds.
            Messages can be lost without an error, so it is never above 20 s.
    """

    name: str
    batch: int = 1
    deadline_s: float = 60.0
    max_attempts: int = 5
    resend_after_s: float = 20.0


class AreaStep(NamedTuple):
    """A step of the learning loop: a person who asks for the loop, and a replay, do it as well.

    Args:
        step: dotted name of a `LoopStep` (`afterword.pipeline.operations.loop`).
        place: its place in a pass of a replay, the smallest first.
        asked_place: its place where a person asks for the loop; None if a command of its own asks
            for it.
    """

    step: str
    place: int
    asked_place: int | None


class AreaJob(NamedTuple):
    """A kind of job: its actor, its queue, and the checks before it starts.

    Args:
        actor: dotted name of the function that runs it: one call into the domain.
        queue: the queue it waits in; one of `afterword.workers.routes.QUEUES`.
        spends: the spending category with the budget that is checked before it starts; None for
            work that costs nothing.
        asks: the service with the circuit that is checked before it starts: `accounts`,
            `embedding`, `llm`, `llm_fast` or `prices`.
        serial: the lock that lets one such job run at a time, such as `role {group} {role}`: names
            in braces are the group and the values of the job's payload.
        has_work: dotted name of the rule that returns since when a group has work for it
            (`afterword.pipeline.core.jobs.has_work`); without one its entries in the schedule fire
            at every slot.
        step: the step of the learning loop that it does, if it does one.
    """

    kind: Kind
    actor: str
    queue: str
    spends: str | None = None
    asks: str | None = None
    serial: str | None = None
    has_work: str | None = None
    step: AreaStep | None = None


class SwitchTask(NamedTuple):
    """A task with a switch: on, off, or in shadow mode.

    Args:
        does: what it does, as a sentence.
    """

    name: str
    does: str


class CronLine(NamedTuple):
    """One line of the schedule; `afterword.schedules.entry.CronEntry` says what its fields mean.

    Args:
        name: `area.verb`.
        cron: five fields in UTC, minute hour day month weekday.
        job: name of the kind of job it adds.
        jitter_s: seconds over which installations spread one slot.
    """

    name: str
    cron: str
    job: str
    misfire: Misfire = "once"
    overlap: Overlap = "skip"
    jitter_s: int = 0
