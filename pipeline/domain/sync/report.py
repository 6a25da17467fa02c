"""What a run of the mirrors did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from afterword.pipeline.domain.sync.turn import SyncSource


@dataclass(frozen=True, slots=True)
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
        resting: of mirrors whose turn it was not, when it will be.
        stopped: by venue, the error of one that was asked nothing more.
    """

    sources: list[SyncedSource] = field(default_factory=list)
    resting: list[datetime] = field(default_factory=list)
    stopped: Mapping[str, Exception] = field(default_factory=dict)

    @property
    def stopped_by(self) -> Exception | None:
        """Return the error of the first venue that was asked nothing more."""
        return next(iter(self.stopped.values()), None)
