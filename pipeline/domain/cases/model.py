"""A case: what was shown, what was done, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

CaseState = Literal["pending", "resolved", "unresolved"]
"""`resolved`: every citation is closed, and one has an outcome. `unresolved`: none could be had."""

CitationState = Literal["pending", "right", "wrong", "noise", "unresolved"]

Standing = Literal["counts", "direction", "class", "late", "before", "withdrawn"]
"""Whether a citation casts a vote. If not: the decision points another way, is about another class
of assets, was recorded too late, was made before the methodology was known, or was withdrawn before
its outcome was due."""

ATTRIBUTION_MODEL: Final = "equal-1"
"""How a result is shared: equally among the ids cited; what no citation that counts can have is
the unattributed rest."""

BATCH: Final = 2_000
"""Cases of one transaction: it takes some 50 ms, so that other writers wait no longer."""


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


class LiteralCount(NamedTuple):
    """What the literal gate counts of one methodology: every window of every application.

    Args:
        used: windows that were right or wrong; count.
        correct: of these, right.
    """

    used: int
    correct: int
