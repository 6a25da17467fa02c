"""The value of an account at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from afterword.pipeline.domain.fills.model import EXACT


@dataclass(frozen=True, slots=True)
class AccountValue:
    """What a venue says an account holds; exact amounts in USDC.

    Args:
        time_ms: by the venue's clock; UTC milliseconds.
        perps: value of the perpetual accounts of every dex that keeps them in USDC, with what is
            unrealised.
        unrealised: profit of the positions that are open there.
        spot_usdc: dollars of the spot account.
        is_unified: whether the dollars of the spot account are the margin of positions; they are
            marked to the market then, so that `perps` and `unrealised` are in them (record 0083).
        positions: signed units of each open position, as decimal text by symbol.
        tokens: other tokens of the spot account, and what dexes keep in them, as decimal text by
            name.
    """

    time_ms: int
    perps: Decimal
    unrealised: Decimal
    spot_usdc: Decimal
    is_unified: bool
    positions: Mapping[str, str]
    tokens: Mapping[str, str]

    @property
    def dollars(self) -> Decimal:
        """Return what the account is worth without its other tokens."""
        return self.spot_usdc if self.is_unified else EXACT.add(self.spot_usdc, self.perps)


@dataclass(frozen=True, slots=True)
class CoveredValue:
    """A value up to whose moment the mirror has every row.

    Args:
        whole_since_ms: nothing is missing from here on; UTC milliseconds.
    """

    value: AccountValue
    whole_since_ms: int
