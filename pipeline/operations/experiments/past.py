"""Past decisions that a model is asked again: what their makers saw, and what became of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.domain.decisions import read_rows
from afterword.pipeline.domain.decisions.model import Decision, Mark
from afterword.pipeline.domain.decisions.plan import INPUT_NAMES
from afterword.pipeline.domain.decisions.read import find_decision
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome
from afterword.pipeline.operations.experiments import past_rows
from afterword.pipeline.operations.replay_report import rows as report_rows
from afterword.pipeline.recall.prompts.prompt_lessons import LABELS_NOTE, read_lesson_line
from afterword.pipeline.rules.text.line import FENCE

ANSWER_NAMES: Final = frozenset(
    {
        *("action", "confidence", "conviction", "decision", "direction", "rationale", "reason"),
        *("reasons", "recommendation", "side", "stance", "thesis"),
        *(name for names in INPUT_NAMES.values() for name in names),
    }
)
"""Inputs that say what was decided, or its plan: whoever is asked again must not see them. Only the
names of the inputs themselves are looked at, none inside of them."""

_LATE_AFTER: Final = timedelta(hours=1)
"""Recorded later than this, a decision was not frozen when it was made."""

_OPEN: Final = f"<{FENCE}>"
_CLOSE: Final = f"</{FENCE}>"
_HEADINGS: Final = frozenset({"## Lessons from past decisions", LABELS_NOTE})


@dataclass(frozen=True, slots=True)
class PastDecision:
    """A decision that is asked again.

    Args:
        inputs: the data it rested on, without what was decided.
        context: frozen when it was made, without the memory that its maker was shown; empty where
            it had none, or it was forgotten.
        had_memory: whether memory was taken out of its context.
        outcome: what became of it over the window of its role; None where no price measured it.
    """

    decision: Decision
    inputs: Mapping[str, Any]
    context: Mapping[str, Any]
    had_memory: bool
    outcome: MeasuredOutcome | None

    @property
    def is_late(self) -> bool:
        """Whether it was recorded long after it was made, so that its words may know more."""
        return self.decision.known_at - self.decision.decided_at > _LATE_AFTER

    @property
    def verdict(self) -> Mark | None:
        """What became of it: by the prices, else by its judge; None until it is known."""
        if self.outcome is not None:
            return self.outcome.verdict
        return None if self.decision.verdict is None else self.decision.verdict.outcome

    @property
    def is_frozen(self) -> bool:
        """Whether anything is known of what its maker saw."""
        return bool(self.inputs or self.context)


def wrong_decisions(conn: Connection, role_id: str | None, limit: int) -> list[PastDecision]:
    """Return the latest wrong decisions that count, the latest first."""
    windows = own_windows(conn)
    ids = past_rows.wrong(conn, role_id, windows, limit)
    return [past_decision(conn, row_id, windows) for row_id in ids]


def named_decisions(conn: Connection, names: Sequence[str | int]) -> list[PastDecision]:
    """Return decisions by their uids or ids, each once, in the order given.

    Raises:
        NotFoundError: there is none of one name.
    """
    decisions = {
        decision.id: decision for decision in (find_decision(conn, name) for name in names)
    }
    windows = own_windows(conn)
    return [past_decision(conn, decision, windows) for decision in decisions.values()]


def own_windows(conn: Connection) -> dict[str, int]:
    """Return the windows that decisions are judged by, by role; hours. None before the first."""
    windows = {role: report_rows.own_window(conn, role) for role in report_rows.roles(conn)}
    return {role: hours for role, hours in windows.items() if hours is not None}


def past_decision(conn: Connection, decision: Decision, windows: Mapping[str, int]) -> PastDecision:
    """Return a decision as it is asked again.

    Args:
        windows: see `own_windows`.
    """
    body = ""
    if decision.context_hash is not None:
        body = read_rows.contexts(conn, [decision.context_hash]).get(decision.context_hash, "")
    frozen = json.loads(body) if body else {}
    context = without_memory(frozen)
    return PastDecision(
        decision,
        {name: value for name, value in decision.inputs.items() if _is_shown(name)},
        context,
        context != frozen,
        own_outcome(conn, decision, windows.get(decision.role_id)),
    )


def own_outcome(
    conn: Connection, decision: Decision, window_hours: int | None
) -> MeasuredOutcome | None:
    """Return the outcome of a decision over the window of its role; None without one."""
    outcomes = outcome_rows.of_subject(conn, "decision", decision.id)
    return next((outcome for outcome in outcomes if outcome.window_hours == window_hours), None)


def without_memory(value: Any) -> Any:
    """Return a frozen context without memory that was recalled into it.

    The arms of an experiment must differ in their memory alone, so what its maker was shown of it
    goes: fenced blocks, and the lines of a fragment of lessons.
    """
    match value:
        case str():
            return _without_lessons(_without_blocks(value))
        case Mapping():
            return {name: without_memory(part) for name, part in value.items()}
        case list():
            return [without_memory(part) for part in value]
    return value


def _is_shown(name: str) -> bool:
    return name.casefold() not in ANSWER_NAMES


def _without_blocks(text: str) -> str:
    parts, at = [], 0
    while (start := text.find(_OPEN, at)) >= 0:
        end = text.find(_CLOSE, start)
        if end < 0:  # no block: it is shown like any other text, its bracket made round
            break
        parts.append(text[at:start])
        at = end + len(_CLOSE)
    return "".join([*parts, text[at:]])


def _without_lessons(text: str) -> str:
    if LABELS_NOTE not in text:
        return text
    lines = text.split("\n")
    return "\n".join(
        line for line in lines if line not in _HEADINGS and read_lesson_line(line) is None
    )
