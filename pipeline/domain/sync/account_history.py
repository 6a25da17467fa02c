"""What a mirror asks of any venue: the fills and the funding of one account."""

from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.funding.model import FundingPayment
from afterword.pipeline.domain.history.files import FileMark

HistoryRow = TypeVar("HistoryRow", Fill, FundingPayment)


class HistoryPart(NamedTuple, Generic[HistoryRow]):
    """All rows of a span of time.

    Args:
        upto_ms: nothing more is to come up to here, whatever there is later; UTC milliseconds.
        missing_ms: moments of which some rows are missing.
        since_ms: the venue may have had more before this moment, which it tells no longer; 0 where
            it tells all.
    """

    rows: Sequence[HistoryRow]
    upto_ms: int | None
    missing_ms: Sequence[int] = ()
    since_ms: int = 0


class AccountHistory(Protocol):
    """What a venue tells of one account: `HyperliquidHistory`, or `ExchangeHistory`.

    Reading raises `AskFailedError` without a usable reply, `RefusedError` where the venue refuses
    the question, and what else the way to the venue raises.
    """

    @property
    def file(self) -> FileMark:
        """Return what stands for the mirror among the files of the account."""

    @property
    def has_answered(self) -> bool:
        """Return whether the venue answered anything."""

    def fills(self, start_ms: int, end_ms: int) -> Iterator[HistoryPart[Fill]]:
        """Yield the fills of a span, the oldest part first; each part can be stored by itself."""

    def payments(self, start_ms: int, end_ms: int) -> Iterator[HistoryPart[FundingPayment]]:
        """Yield the payments of funding of a span, as `fills` does."""

    def close(self) -> None:
        """Close what was opened for this account."""
