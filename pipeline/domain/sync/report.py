"""What a run of the mirror did."""

from dataclasses import dataclass, field
from datetime import datetime

from afterword.pipeline.domain.sync.turn import SyncSource


@dataclass(slots=True)
class SyncedSource:
    """What a run did for one source of one account.

    Args:
        new: rows that were not mirrored before; count.
        error: why it failed; None if it did not.
    """

    account: str
    source: SyncSource
    new: int = 0
    error: str | None = None


@dataclass(slots=True)
class SyncReport:
    """What a run did.

    Args:
        resting: of mirrors that ran a moment ago, when they may run again. Those that are left out
            are not among them.
        joined: mirrors that another process brought up to date while this one waited; count.
        stopped_by: the error of the venue that ended the run early.
    """

    sources: list[SyncedSource] = field(default_factory=list)
    resting: list[datetime] = field(default_factory=list)
    joined: int = 0
    stopped_by: Exception | None = None
