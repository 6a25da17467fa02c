"""A case: what was shown, what was done, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

CaseState = Literal["pending", "resolved", "unresolved"]
"""`resolved`: every citation is closed, and one has an outcome. `unresolved`: none could be had."""

CitationState = Literal["pending", "right", "wrong", "noise", "unresolved"]

Standing = Literal["counts", "direction", "class", "late", "before", "withdrawn"]
"""Whether a citation casts a vote. If not: the decision points another way, is about another class
of assets, was recorded when a part of its outcome could be seen, was made before the methodology
was known, or was withdrawn: its maker replaced it before its entry."""

DESK_ROLE: Final = "institution.desk"
"""The role of decisions that are recorded with a run of an institution (decision record 0091)."""

ATTRIBUTION_MODEL: Final = "equal-1"
"""How a result is shared: equally among the ids cited; what no citation that counts can have is
the unattributed rest."""


@dataclass(frozen=True, slots=True)
class NewHint:
    """What an agent is shown before it decides.

    Args:
        block: the text, as it enters the prompt.
        snapshot: what was known then: the methodologies with their state and figures, and prices;
            a JSON object.
    """

    asset_key: str
    asset_class: str
    block: str
    snapshot: Mapping[str, Any]
    session_id: str | None = None


class CaseTally(NamedTuple):
    """What an update did; counts of cases."""

    opened: int = 0
    closed: int = 0
    settled: int = 0


class CasesSeen(NamedTuple):
    """Up to where the cases are up to date.

    Args:
        decision: id of the newest decision then; `method` and `outcome` likewise.
        at: moment of the update; microseconds.
        resolved: cases with an outcome; count.
    """

    decision: int
    method: int
    outcome: int
    at: int
    resolved: int


class CaseUpdate(NamedTuple):
    """What an update did, and where the next one goes on.

    Args:
        touched: case and methodology of each citation that changed.
    """

    tally: CaseTally
    touched: frozenset[tuple[int, int]]
    seen: CasesSeen


class LiteralCount(NamedTuple):
    """What the literal gate counts of one methodology: every window of every application.

    Args:
        used: windows that were right or wrong; count.
        correct: of these, right.
    """

    used: int
    correct: int


class MethodCitation(NamedTuple):
    """One methodology that a case cites.

    Args:
        outcome_state: at the methodology's own horizon.
        is_repeat: it casts no vote, since a decision recorded before, by a role or with a run, on
            the same asset and stretch, is this use of the methodology.
        attributed_micro_usd: its part of the result; None while there is none, or it has no part.
    """

    methodology: str
    name: str
    standing: Standing
    window_hours: int
    due_at: datetime
    outcome_state: CitationState
    attributed_micro_usd: int | None
    is_repeat: bool = False


@dataclass(frozen=True, slots=True)
class CaseSummary:
    """A case as it is read.

    Args:
        decision: uid of the decision.
        cited: the ids as they were cited; not all of them need be known.
        realised_micro_usd: result of the decision's trades; None while there is none. The parts of
            the citations and `unattributed_micro_usd` add up to it.
    """

    id: int
    decision: str
    decision_id: int
    role_id: str
    session_id: str | None
    asset_key: str
    asset_class: str
    direction: str
    decided_at: datetime
    outcome_state: CaseState
    due_at: datetime
    closed_at: datetime | None
    hint_hash: str | None
    cited: tuple[str, ...]
    attribution_model: str
    realised_micro_usd: int | None
    unattributed_micro_usd: int | None
    citations: tuple[MethodCitation, ...]


@dataclass(frozen=True, slots=True)
class ShownHint:
    """What an agent was shown before it decided.

    Args:
        snapshot: what was known then: methodologies with their figures, prices.
    """

    hash: str
    block: str
    snapshot: Mapping[str, Any]
    known_at: datetime


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """What became of the decision over one window; shares in parts per billion."""

    window_hours: int
    verdict: str
    move_ppb: int
    band_ppb: int
    entry_at: datetime
    exit_at: datetime


@dataclass(frozen=True, slots=True)
class CaseTrade:
    """A trade whose result belongs to the decision.

    Args:
        side: `B` bought, `A` sold.
        size, price: decimal text.
    """

    uid: str
    side: str
    size: str
    price: str
    occurred_at: datetime
    realised_micro_usd: int | None


@dataclass(frozen=True, slots=True)
class CaseStory:
    """A case from hint to result.

    Args:
        decision_text: what was decided, and why.
        hint: None if none was shown, or it was forgotten.
    """

    case: CaseSummary
    decision_text: str
    hint: ShownHint | None
    outcomes: tuple[CaseOutcome, ...]
    trades: tuple[CaseTrade, ...]
