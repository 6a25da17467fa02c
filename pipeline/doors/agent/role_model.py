"""The values that the tools of a role return; see `model`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.memory.flags import shown
from afterword.pipeline.doors.agent.model import flag_hint
from afterword.pipeline.recall.prompts.provenance import Provenance
from afterword.pipeline.recall.prompts.sanitize import shown_name
from afterword.pipeline.rules.text.line import one_name

_MOST_NAMED: Final = 5
"""Unknown ids that a note names."""


@dataclass(frozen=True, slots=True)
class RoleDecision:
    """A recorded decision.

    Args:
        id: its uid.
        direction: `long`, `short`, or `neutral` where no price judges it.
        is_new: False where its key had recorded it before; all fields are those of that recording.
        note: what of it will not count, and why; that it reads like an order; None if nothing.
    """

    id: str
    role: str
    asset: str | None
    direction: str
    decided_at: str
    is_new: bool
    provenance: Provenance
    note: str | None = None


def decided(
    decision: Decision,
    group: str,
    *,
    is_new: bool,
    unknown: Sequence[str] = (),
    flagged: Sequence[str] = (),
) -> RoleDecision:
    """Return a decision as an agent sees it.

    Args:
        unknown: the methods it cites that nobody knows.
        flagged: what kinds of orders to the agent it reads like.
    """
    notes = (unknown_note(unknown), flag_hint(flagged) if flagged else None)
    by = Provenance(decision.session_id, group, decision.origin, iso(decision.known_at))
    return RoleDecision(
        id=decision.uid,
        role=decision.role_id,
        asset=decision.asset and shown_name(decision.asset),
        direction=decision.direction,
        decided_at=iso(decision.decided_at),
        is_new=is_new,
        provenance=by,
        note="; ".join(filter(None, notes)) or None,
    )


def unknown_note(unknown: Sequence[str]) -> str | None:
    """Return what to know about cited methods that nobody knows; None if there are none."""
    if not unknown:
        return None
    named = ", ".join(shown(one_name(uid)) for uid in unknown[:_MOST_NAMED])
    more = len(unknown) - _MOST_NAMED
    named += f" and {more:,} more" if more > 0 else ""
    return f"no methodology has the id {named}; a citation of it counts for nothing"
