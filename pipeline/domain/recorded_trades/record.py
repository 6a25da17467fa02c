"""Record trades of an agent, and what became of them.

check_trade (secrets masked: no store is needed) → insert_trade (one transaction)
"""

from dataclasses import asdict, fields, replace
from datetime import datetime
from decimal import Decimal

from sqlalchemy import Connection

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.accounts import rows as accounts
from afterword.pipeline.domain.accounts.nudge import ask_for_sync
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.checks import is_name, short_repr
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.recorded_trades import rows
from afterword.pipeline.domain.recorded_trades.checks import check_trade, realised_micro_usd
from afterword.pipeline.domain.recorded_trades.model import (
    CheckedTrade,
    GivenNumber,
    NewTrade,
    TradeIds,
    TradeRecord,
)
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.rules.market.decimals import plain


def record_trade(by: Writer, new: NewTrade) -> TradeIds:
    """Record a trade; recorded again under the same key or execution, it is the first one.

    Raises:
        NotFoundError: there is no such decision, or no such trade to close.
        InvalidInputError: it may not be recorded; nothing was.
        UnavailableError: the store cannot be written now.
    """
    checked = check_trade(new)
    with writing(by.store) as conn:
        return insert_trade(conn, by, checked, by.clock())


def insert_trade(conn: Connection, by: Writer, trade: CheckedTrade, now: datetime) -> TradeIds:
    """Record a checked trade in a transaction the caller has open; see `record_trade`."""
    at = now if trade.occurred_at is None else trade.occurred_at
    if at > now:
        problem = f"{iso(at)} is still to come"
        raise InvalidInputError("occurred_at", problem, f"up to now, {iso(now)}")
    before = rows.recorded_before(conn, trade)
    if before is not None:
        _check_same(trade, before)
        return TradeIds(before.id, before.uid, is_new=False)
    if trade.decision_uid is not None and not rows.is_decision(conn, trade.decision_uid):
        raise NotFoundError(f"decision_uid: there is no decision {short_repr(trade.decision_uid)}")
    if trade.closes_uid is not None:
        _check_closes(conn, trade, trade.closes_uid, at)
    uid = by.ids()
    values = asdict(trade) | {"occurred_at": at}
    record = TradeRecord(**values, id=0, uid=uid, session_id=by.session, known_at=now)
    row_id = rows.insert_trade(conn, record)
    touched = ChangedRow(row_id, by.session, {"uid": uid})
    audit(conn, now, by.actor, "trade.record", "trade_history", [touched])
    if accounts.named(conn, trade.account) is not None:
        # The venue has what the agent does not know: the fee, the fills, what it did elsewhere.
        ask_for_sync(conn, now)
    emit("trade:recorded", trade=row_id, closes=trade.closes_uid is not None)
    return TradeIds(row_id, uid, is_new=True)


def update_trade_outcome(by: Writer, uid: str, realised_usd: GivenNumber) -> TradeRecord:
    """Keep what a trade brought after fees; the row until now stays readable as of its time.

    Raises:
        NotFoundError: there is no such trade.
        InvalidInputError: it is not an amount, or the trades that close this one have the outcome.
        UnavailableError: the store cannot be written now.
    """
    amount = realised_micro_usd(realised_usd)
    with writing(by.store) as conn:
        return renew_outcome(conn, by, uid, amount, by.clock())


def renew_outcome(
    conn: Connection, by: Writer, uid: str, realised_micro_usd: int, now: datetime
) -> TradeRecord:
    """Keep an outcome in a transaction the caller has open; the same one again writes nothing."""
    trade = _existing(conn, uid, "trade")
    if trade.realised_micro_usd == realised_micro_usd:
        return trade
    closing = rows.closers(conn, trade.uid)
    if closing:
        accepted = f"the outcome of the trade that closes it, {closing[-1].uid}"
        raise InvalidInputError("trade", f"{trade.uid} is closed by another one", accepted)
    at = max(now, trade.known_at)  # a clock may step back; versions do not
    rows.supersede(conn, trade.id, at)
    renewed = replace(trade, id=0, realised_micro_usd=realised_micro_usd, known_at=at)
    row_id = rows.insert_trade(conn, renewed)
    touched = ChangedRow(row_id, by.session, {"uid": trade.uid, "supersedes": trade.id})
    audit(conn, now, by.actor, "trade.outcome", "trade_history", [touched])
    emit("trade:outcome_updated", trade=row_id)
    return _existing(conn, uid, "trade")


def _existing(conn: Connection, uid: object, field: str) -> TradeRecord:
    trade = rows.find_trade(conn, uid) if is_name(uid) else None
    if trade is None:
        raise NotFoundError(f"{field}: there is no recorded trade {short_repr(uid)}")
    return trade


def _check_closes(conn: Connection, trade: CheckedTrade, uid: str, at: datetime) -> None:
    """Refuse to close what is not an open trade of the same account and asset."""
    opened = _existing(conn, uid, "closes_uid")
    field = "closes_uid"
    for name in ("venue", "account", "asset_key"):
        own, other = getattr(trade, name), getattr(opened, name)
        if own != other:
            problem = f"is a trade of {short_repr(other)}"
            raise InvalidInputError(field, problem, f"an open trade of {short_repr(own)}")
    if opened.closes_uid is not None:
        raise InvalidInputError(field, "closes a trade itself", "the trade that opened")
    if opened.realised_micro_usd is not None:
        raise InvalidInputError(field, "has its outcome already", "an open trade")
    if trade.side == opened.side:
        other = "sell" if opened.side == "buy" else "buy"
        raise InvalidInputError("side", f"{opened.side}s as the trade it closes does", other)
    if at < opened.occurred_at:
        accepted = f"from {iso(opened.occurred_at)} on, when it was opened"
        raise InvalidInputError("occurred_at", f"is {iso(at)}", accepted)
    left = opened.size - sum((closer.size for closer in rows.closers(conn, uid)), Decimal(0))
    if trade.size > left:
        accepted = f"up to {plain(left)}, what is open" if left else "an open trade: it is closed"
        raise InvalidInputError("size" if left else field, f"is {plain(trade.size)}", accepted)


def _check_same(trade: CheckedTrade, first: TradeRecord) -> None:
    """Refuse a key, or an id of an execution, that names another trade."""
    may_differ = {"asset", "key", "realised_micro_usd"}  # a form, a retry, a later outcome
    if trade.occurred_at is None:
        may_differ.add("occurred_at")
    names = [field.name for field in fields(CheckedTrade) if field.name not in may_differ]
    differs = [name for name in names if getattr(trade, name) != getattr(first, name)]
    if differs:
        field = "key" if trade.key is not None and trade.key == first.key else "tid"
        problem = f"names another trade, {first.uid}, of another {', '.join(differs)}"
        raise InvalidInputError(field, problem, f"a {field} of its own for each trade")
