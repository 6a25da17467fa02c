"""A trade as an agent records it in a session, and as it is read back."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final, Literal, get_args

Order = Literal["buy", "sell"]
"""What a trade does to the position: a sale closes a long one or opens a short one."""

ORDERS: Final = get_args(Order)

GivenNumber = Decimal | int | float | str
"""A number as callers write it; a float stands for its shortest decimal form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTrade:
    """A trade to be recorded.

    Args:
        venue: short name in small letters: `hyperliquid`, `binance`.
        account: the account's name in this store, as its fills are imported under it.
        asset: in any written form, such as `SOL` or `SOL-PERP`.
        size: units, positive.
        price: of one unit, in the market's own currency.
        fee: what it cost; negative is a rebate; None where it is not known.
        fee_token: what the fee was paid in; None means USD.
        oid: the venue's order id; `tid`: its id of the execution; `cloid`: the id that the client
            gave its order. One of them links the trade to its mirrored fills.
        decision_uid: the decision of a role that it carries out.
        closes_uid: the recorded trade that it closes, or a part of it.
        realised_usd: what it brought after fees, if that is known already; USD.
        occurred_at: when; aware, not in the future; now if missing.
        key: idempotency key of this recording; a second one changes nothing.
    """

    venue: str
    account: str
    asset: str
    side: Order
    size: GivenNumber
    price: GivenNumber
    fee: GivenNumber | None = None
    fee_token: str | None = None
    oid: str | None = None
    tid: str | None = None
    cloid: str | None = None
    decision_uid: str | None = None
    closes_uid: str | None = None
    realised_usd: GivenNumber | None = None
    occurred_at: datetime | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedTrade:
    """A new trade, checked and its secrets masked.

    Args:
        asset_key: key of its asset, such as `BTC`.
        realised_micro_usd: what it brought after fees, micro-USD; None where nobody said yet.
        occurred_at: aware UTC; None for now.
    """

    key: str | None
    decision_uid: str | None
    closes_uid: str | None
    venue: str
    account: str
    asset: str
    asset_key: str
    side: Order
    size: Decimal
    price: Decimal
    fee: Decimal | None
    fee_token: str | None
    oid: str | None
    tid: str | None
    cloid: str | None
    realised_micro_usd: int | None
    occurred_at: datetime | None


@dataclass(frozen=True, slots=True)
class TradeRecord(CheckedTrade):
    """A recorded trade; moments are aware UTC.

    Args:
        id: of the row inside the store, 0 before it is there; `uid` outlives an update of its
            outcome.
        known_at: when it, or its latest outcome, became known.
    """

    occurred_at: datetime
    id: int
    uid: str
    session_id: str | None
    known_at: datetime


@dataclass(frozen=True, slots=True)
class LinkedTrade:
    """A recorded trade, and the mirrored fills that are the same trade.

    Args:
        fill_ids: rows of `perps_fills`; empty where its fills are not mirrored.
    """

    trade: TradeRecord
    fill_ids: tuple[int, ...]

    @property
    def is_mirrored(self) -> bool:
        """Whether its fills are mirrored: these count then, and the recorded trade does not."""
        return bool(self.fill_ids)


@dataclass(frozen=True, slots=True)
class TradeIds:
    """The identifiers of a recorded trade.

    Args:
        id: of the row inside the store.
        is_new: False where this was recorded before.
    """

    id: int
    uid: str
    is_new: bool
