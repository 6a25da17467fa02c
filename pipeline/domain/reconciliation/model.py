"""How the value of an account changed between two moments, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple

from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.transfers.model import LedgerTransfer

FlowPart = Literal["realised", "fees", "funding", "spot", "transfer"]
"""Where a change comes from; `spot` is what tokens cost or brought."""


class Flow(NamedTuple):
    """A change of an account's dollars; exact, negative went out.

    Args:
        time_ms: UTC milliseconds.
        kind: of a transfer, the venue's word for it.
        fee: of a transfer, what of the amount was a fee.
    """

    time_ms: int
    part: FlowPart
    amount: Decimal
    kind: str = ""
    fee: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class TransferSum:
    """The transfers of one kind.

    Args:
        kind: the venue's word for it.
        amount: what became of the dollars, fees taken off; exact.
        fees: what of it were fees.
    """

    kind: str
    count: int
    amount: Decimal
    fees: Decimal


@dataclass(frozen=True, slots=True)
class RestSpan:
    """Two neighbouring values whose difference is not explained.

    Args:
        first_at, last_at: moments of the two values.
        rest: dollars; exact.
    """

    first_at: datetime
    last_at: datetime
    rest: Decimal


ReasonKind = Literal[
    "fills_missing",  # neighbouring fills whose positions do not meet, or a first one not from flat
    "position_differs",  # the venue holds another position than the fills leave
    "history_not_whole",  # the venue did not hand out what came before
    "funding_missing",  # a position was held at hours of which no payment is known
    "transfer_unknown",  # an update of the ledger whose effect is not known
    "transfer_missing",  # another account of the owner has the other side of it
    "other_token",  # results or fees in another token than the dollar
    "liquidated",  # what a backstop takes beyond the fills is in no row
    "unified_account",  # positions stand on the dollars of the spot account
]


@dataclass(frozen=True, slots=True)
class Reason:
    """What the data show that may explain a rest.

    Args:
        subject: a market, a kind of update, a token or an account.
        count: rows or hours.
        since, until: when; None where it has no such end.
        expected, found: positions that should be equal; signed units.
        amount: dollars that it comes to, where the data say it.
    """

    kind: ReasonKind
    subject: str = ""
    count: int = 1
    since: datetime | None = None
    until: datetime | None = None
    expected: Decimal | None = None
    found: Decimal | None = None
    amount: Decimal | None = None


@dataclass(frozen=True, slots=True)
class ValueStatement:
    """How the value of an account changed; exact dollars.

    Args:
        first, last: the values at both ends; the first one is 0 at the beginning of an account.
        from_beginning: whether it begins with the account.
        realised: profit of what was closed, before fees.
        unrealised: change in the profit of open positions.
        fees: of trades; what they cost. Fees of transfers are in their amounts.
        spot: what tokens brought less what they cost.
        rest: what is not explained.
        spans: where the rest arose, the earliest first; those below a cent are left out.
    """

    first: AccountValue
    last: AccountValue
    from_beginning: bool
    realised: Decimal
    unrealised: Decimal
    funding: Decimal
    fees: Decimal
    spot: Decimal
    transfers: tuple[TransferSum, ...]
    rest: Decimal
    spans: tuple[RestSpan, ...]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class AccountStatement:
    """What can be said of one account.

    Args:
        values: that are known in the span that was asked for; count.
        statement: None with fewer than two values.
    """

    account: str
    values: int
    statement: ValueStatement | None


class PositionGap(NamedTuple):
    """Neighbouring fills of a market whose positions do not meet; UTC milliseconds."""

    symbol: str
    from_ms: int
    to_ms: int
    expected: Decimal
    found: Decimal


@dataclass(frozen=True, slots=True)
class AccountEvidence:
    """Everything stored of an account that its value follows from.

    Args:
        values: that are covered, the oldest first.
        whole_since_ms: the venue handed out every row from here on; UTC milliseconds.
        fills: in the order in which they executed.
        payments: of funding, as (UTC milliseconds, symbol, amount).
        transfers: the oldest first.
        other_sides: updates of the owner's other accounts that name this one, by their account.
    """

    values: tuple[AccountValue, ...]
    whole_since_ms: int
    fills: Sequence[Fill]
    payments: Sequence[tuple[int, str, Decimal]]
    transfers: Sequence[LedgerTransfer]
    gaps: Sequence[PositionGap]
    other_sides: Mapping[str, Sequence[LedgerTransfer]]
