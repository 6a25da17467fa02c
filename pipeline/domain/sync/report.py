"""What a run of the mirror did."""

from dataclasses import dataclass, field
from datetime import datetime

from afterword.pipeline.domain.history.files import SetAside
from afterword.pipeline.domain.sync.turn import SyncSource
from afterword.pipeline.errors import PostponedError


@dataclass(slots=True)
class SyncedSource:
    """What a run did for one source of one account.

    Args:
        new: rows that were not mirrored before; count.
        error: why it failed; None if it did not.
        missing_moments: of which rows are missing: the venue hands out no more, or nobody says how
            many units they have.
        set_aside: what of the new rows was left out, since a file tells of the same trades,
            otherwise.
    """

    account: str
    source: SyncSource
    new: int = 0
    error: str | None = None
    missing_moments: tuple[datetime, ...] = ()
    set_aside: tuple[SetAside, ...] = ()


@dataclass(slots=True)
class SyncReport:
    """What a run did.

    Args:
        resting: of mirrors that ran a moment ago, when they may run again. Those that are left out
            are not among them.
        joined: mirrors that another process brought up to date while this one waited; count.
        stopped: by venue, the error of one that was asked nothing more.
    """

    sources: list[SyncedSource] = field(default_factory=list)
    resting: list[datetime] = field(default_factory=list)
    joined: int = 0
    stopped: dict[str, Exception] = field(default_factory=dict)

    @property
    def goes_on_at(self) -> datetime | None:
        """Return when the first venue that was stopped answers again; None where nobody knows."""
        moments = [
            error.reopens_at
            for error in self.stopped.values()
            if isinstance(error, PostponedError) and error.reopens_at is not None
        ]
        return min(moments, default=None)
