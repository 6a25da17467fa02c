"""What an audit reads, and what it says: scores, findings, a report."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple, get_args

from afterword.pipeline.domain.methodologies.model import LifecycleKind
from afterword.pipeline.rules.market.taxonomy import AssetGroup

Dimension = Literal[
    "synthesis_quality",
    "graduation_fp_rate",
    "attribution_integrity",
    "coverage_health",
    "quarantine_churn",
    "cron_health",
]
DIMENSIONS: Final = get_args(Dimension)

Severity = Literal["high", "medium", "low"]
SEVERITIES: Final = get_args(Severity)

Band = Literal["healthy", "watch", "degraded", "alarm", "disabled"]
"""What a composite means; `disabled` while learning is off."""

AuditTrigger = Literal["cron", "command"]


class ScoredMethod(NamedTuple):
    """A methodology as the audit reads it.

    Args:
        is_graduated: by the gate in force; flagged ones too.
        uses: that the gate in force counts.
        effective_uses: stretches that voted.
    """

    uid: str
    group: AssetGroup
    is_graduated: bool
    uses: int
    effective_uses: int


class ScoredEvent(NamedTuple):
    """Something that happened to a methodology.

    Args:
        uid: of the methodology; empty for a freeze.
        reason_text: begins with the verdict, of an adjustment by the judge.
        at: microseconds.
    """

    uid: str
    kind: LifecycleKind
    reason_text: str
    at: int


class AuditedCases(NamedTuple):
    """How many cases ended in the window of an audit, and how many wait.

    Args:
        resolved: those of the closed ones with an outcome.
        waiting: pending ones whose outcome was due; `backlog` those that wait for too long.
    """

    closed: int = 0
    resolved: int = 0
    waiting: int = 0
    backlog: int = 0


class AuditWindow(NamedTuple):
    """The time that an audit looks at; microseconds."""

    start: int
    now: int


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """Something that an operator should know.

    Args:
        about: uids of the methodologies it is about; never their text.
    """

    dimension: Dimension
    severity: Severity
    text: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """What one dimension says.

    Args:
        score: 0 to 100; None where there is not enough data to score honestly.
        advisory_actions: what an operator may do; nothing is done by itself.
    """

    score: float | None
    findings: tuple[AuditFinding, ...] = ()
    advisory_actions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """One audit.

    Args:
        uid: its name outside the store.
        composite: 0 to 100; None where no dimension could be scored, like `band`.
        dimension_scores: of all six; None where a dimension was left out.
        dimension_weights_used: of those that were scored; they add up to 1.
    """

    uid: str
    trigger: AuditTrigger
    window_days: int
    composite: float | None
    band: Band | None
    dimension_scores: Mapping[Dimension, float | None]
    dimension_weights_used: Mapping[Dimension, float]
    findings: tuple[AuditFinding, ...]
    advisory_actions: tuple[str, ...]
    known_at: datetime
