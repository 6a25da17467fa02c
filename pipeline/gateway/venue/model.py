"""A request to Hyperliquid's info API, and what it weighs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

MINUTE_WEIGHT: Final = 1_200
"""Weight that the venue accepts from one address in a minute. Source: Hyperliquid docs, "Rate
limits and user limits"."""

_LIGHT: Final = 2
_USUAL: Final = 20
_WEIGHTS: Final[Mapping[str, int]] = {
    "clearinghouseState": _LIGHT,
    "spotClearinghouseState": _LIGHT,
    "exchangeStatus": _LIGHT,
    "userRole": 60,
}
"""Weights of requests that are not `_USUAL`; the same source."""

_ROWS_OF_A_WEIGHT: Final[Mapping[str, int]] = {
    "candleSnapshot": 60,
    "userFillsByTime": 20,
    "userFunding": 20,
    "userNonFundingLedgerUpdates": 20,
}
"""Rows of a reply that weigh 1 more; the same source."""


@dataclass(frozen=True, slots=True)
class InfoRequest:
    """One request.

    Args:
        type: the venue's name of what is asked, such as `userFillsByTime`.
        fields: the rest of its body.
        most_rows: rows that its reply has at most; count.
        row_bytes: size limit of one row; bytes.
        unknown: field, problem and accepted values, if the venue knows nothing of what is asked.
    """

    type: str
    fields: Mapping[str, Any]
    most_rows: int
    row_bytes: int = 2_048
    unknown: tuple[str, str, str] = ("user", "is unknown to Hyperliquid", "an address it knows")

    @property
    def most_weight(self) -> int:
        """The largest weight that its reply can have."""
        return self.weight(self.most_rows)

    def weight(self, rows: int) -> int:
        """Return the weight of a reply.

        Args:
            rows: of the reply; count.
        """
        extra = rows // _ROWS_OF_A_WEIGHT[self.type] if self.type in _ROWS_OF_A_WEIGHT else 0
        return _WEIGHTS.get(self.type, _USUAL) + extra
