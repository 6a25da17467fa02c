"""What a venue handed out of an address."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from afterword.pipeline.domain.funding.model import FundingPayment


@dataclass(frozen=True, slots=True)
class VenueHistory:
    """What the venue handed out of an address.

    Args:
        file: the fills, in the shape of the venue's API.
        fills: count.
        whole_since: nothing is missing from then on; None if the history is whole.
        full_moments: moments with more fills than the venue tells of; aware UTC.
        funding: payments since the first fill.
        full_funding_moments: moments with more payments than the venue tells of; aware UTC.
    """

    address: str
    file: Path
    fills: int
    whole_since: datetime | None
    full_moments: tuple[datetime, ...]
    funding: tuple[FundingPayment, ...]
    full_funding_moments: tuple[datetime, ...] = ()
