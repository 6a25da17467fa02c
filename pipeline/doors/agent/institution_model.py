"""The values that the tools of an institution return; see `model`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.institution.model import CapturedRun, RunStory, WindowAnswer
from afterword.pipeline.domain.memory.flags import shown
from afterword.pipeline.doors.agent.model import flag_hint
from afterword.pipeline.doors.agent.role_model import unknown_note
from afterword.pipeline.recall.prompts.sanitize import sanitize, shown_name

if TYPE_CHECKING:  # loaded by who is told of runs
    from afterword.pipeline.recall.institution.retrospect import Retrospect


@dataclass(frozen=True, slots=True)
class AgentRunCapture:
    """What became of a run.

    Args:
        is_kept: False where captures are off: nothing was written.
        is_new: False where it was captured before.
        decision: id of its decision.
        note: what of it will not count, and why; None if nothing.
    """

    run: str
    is_kept: bool
    is_new: bool
    decision: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class AgentRetrospect:
    """What the next run on an asset is told.

    Args:
        block: for the prompt; empty if there was no run.
        digest: to be given to `institution_capture` as `retrospect`; None if nothing was kept.
        runs: ids of the runs in it.
    """

    asset: str
    block: str
    digest: str | None
    runs: list[str]


@dataclass(frozen=True, slots=True)
class AgentWindow:
    """The answer to one question of the ladder.

    Args:
        state: answered, waits (not over), or unmeasured (over, a price is missing).
        answer: yes, no or unclear; None until it is answered.
        why: the numbers behind it.
    """

    window_hours: int
    question: str
    state: str
    answer: str | None
    why: str


@dataclass(frozen=True, slots=True)
class AgentRun:
    """A run; a text that reads like an order to the agent is withheld.

    Args:
        outputs: role, form and fields of each output, in order.
        methods: of each methodology that the roles cite its id, whether it votes, and its outcome.
    """

    run: str
    asset: str
    direction: str
    confidence: float
    horizon_days: float
    decided_at: str
    decision: str
    outputs: list[dict[str, Any]]
    methods: list[dict[str, str]]
    windows: list[AgentWindow]


def captured(done: CapturedRun) -> AgentRunCapture:
    """Return what became of a run as an agent sees it."""
    if not done.is_kept:
        note = "captures are off (AFTERWORD_INSTITUTION_LEARNING_ENABLED): nothing was written"
        return AgentRunCapture(shown_name(done.uid), False, False, None, note)
    notes = (unknown_note(done.unknown), flag_hint(done.flagged) if done.flagged else None)
    note_text = "; ".join(note for note in notes if note) or None
    return AgentRunCapture(shown_name(done.uid), True, done.is_new, done.decision, note_text)


def retrospect(told: "Retrospect") -> AgentRetrospect:
    """Return what a run is told as an agent sees it."""
    runs = [shown_name(uid) for uid in told.runs]
    return AgentRetrospect(shown_name(told.asset), told.block, told.digest, runs)


def told(story: RunStory) -> AgentRun:
    """Return a run as an agent sees it."""
    run = story.run
    return AgentRun(
        run=shown_name(run.uid),
        asset=shown_name(run.asset),
        direction=run.direction,
        confidence=run.confidence,
        horizon_days=run.horizon_hours / 24,
        decided_at=iso(run.decided_at),
        decision=run.decision,
        outputs=[
            {"role": shown_name(output.role), "form": output.form, **_safe(output.body)}
            for output in story.outputs
        ],
        methods=[
            {
                "id": shown_name(citation.methodology),
                "standing": "repeat" if citation.is_repeat else citation.standing,
                "outcome": citation.outcome_state,
            }
            for citation in story.citations
        ],
        windows=[_window(window) for window in run.windows],
    )


def _window(window: WindowAnswer) -> AgentWindow:
    return AgentWindow(
        window.window_hours, window.question, window.state, window.answer, sanitize(window.why)
    )


def _safe(value: Any) -> Any:
    """Return a value of a form, each of its texts as a prompt may show it."""
    if isinstance(value, str):
        return shown(sanitize(value))
    if isinstance(value, dict):
        return {name: _safe(part) for name, part in value.items()}
    return [_safe(part) for part in value] if isinstance(value, list) else value
