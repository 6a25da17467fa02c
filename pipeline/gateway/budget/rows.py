"""SQL statements of the ledger; `admission` has the rules."""

import json
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, Row, text

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.errors import CorruptStoreError, NotFoundError
from afterword.pipeline.gateway.budget.model import (
    Purpose,
    Reservation,
    SpendingStop,
    Usage,
    UsageSum,
    Window,
)
from afterword.pipeline.gateway.budget.windows import WindowName, day_key, ends_at

_DAY = text("""
SELECT max(:today, coalesce((SELECT max(day_key) FROM budget_reservations), ''),
                   coalesce((SELECT max(date) FROM llm_usage), ''))
""")
_USAGE_AFTER = text("""
SELECT category, model, basis, count(*), sum(input_tokens), sum(output_tokens),
  sum(cost_micro_usd), max(id)
FROM llm_usage WHERE id > :last_id GROUP BY category, model, basis
""")
_STOPPED = text("SELECT stopped_at, note FROM budget_switch")
_STOP = text("""
INSERT INTO budget_switch (only, stopped_at, note) VALUES (1, :now, :note)
ON CONFLICT DO NOTHING
""")
_RESUME = text("DELETE FROM budget_switch")
# An open reservation counts as spent from its expiry on, even before `expire` has booked it.
_WINDOWS = text("""
WITH wanted AS MATERIALIZED (
  SELECT key AS place, value ->> 0 AS scope, value ->> 1 AS name, value ->> 2 AS window_key
  FROM json_each(:wanted))
SELECT scope, name, window_key, coalesce(booked.spent_micro_usd, 0) AS spent, booked.warned_at,
  coalesce(sum(held.estimate_micro_usd) FILTER (WHERE held.expires_at <= :now), 0) AS lapsed,
  coalesce(sum(held.estimate_micro_usd) FILTER (WHERE held.expires_at > :now), 0) AS reserved,
  min(held.expires_at) FILTER (WHERE held.expires_at > :now) AS frees_at
FROM wanted LEFT JOIN budget_windows AS booked USING (scope, name, window_key)
LEFT JOIN budget_reservations AS held ON held.state = 'open' AND CASE scope
  WHEN 'category_day' THEN held.category = name AND held.day_key = window_key
  WHEN 'category_month' THEN held.category = name AND substr(held.day_key, 1, 7) = window_key
  ELSE held.group_name = name AND held.day_key = window_key END
GROUP BY place ORDER BY place
""")
_RESERVE = text("""
INSERT INTO budget_reservations (uid, category, group_name, task, model, estimate_micro_usd,
  day_key, state, outside, created_at, expires_at)
VALUES (:uid, :category, :group, :task, :model, :estimate, :day, 'open', :outside, :now, :expires)
""")
_WARN = text("""
INSERT INTO budget_windows (scope, name, window_key, spent_micro_usd, warned_at)
VALUES (:scope, :name, :key, 0, :now)
ON CONFLICT DO UPDATE SET warned_at = excluded.warned_at
""")
# An expired reservation is already charged; a late reply adds only the excess.
_BOOK = text("""
INSERT INTO llm_usage (category, group_name, task, model, input_tokens, output_tokens,
  cost_micro_usd, date, ts, reservation_uid, basis, note)
SELECT category, group_name, task, model, :input_tokens, :output_tokens,
  max(0, coalesce(:cost, estimate_micro_usd)
         - CASE state WHEN 'expired' THEN estimate_micro_usd ELSE 0 END),
  day_key, :now, uid,
  CASE WHEN :cost IS NULL THEN 'reserved' WHEN outside THEN 'outside' ELSE 'measured' END, :note
FROM budget_reservations WHERE uid = :uid AND state IN ('open', 'expired')
""")
_SETTLE = text("""
UPDATE budget_reservations SET state = 'settled' WHERE uid = :uid AND state IN ('open', 'expired')
RETURNING *
""")
_RELEASE = text("""
UPDATE budget_reservations SET state = 'released' WHERE uid = :uid AND state = 'open'
""")
_KNOWN = text("SELECT 1 FROM budget_reservations WHERE uid = :uid")
_BOOK_EXPIRED = text("""
INSERT INTO llm_usage (category, group_name, task, model, input_tokens, output_tokens,
  cost_micro_usd, date, ts, reservation_uid, basis)
SELECT category, group_name, task, model, 0, 0, estimate_micro_usd, day_key, :now, uid, 'expired'
FROM budget_reservations WHERE state = 'open' AND expires_at <= :now
""")
_EXPIRE = text("""
UPDATE budget_reservations SET state = 'expired' WHERE state = 'open' AND expires_at <= :now
""")
_BOOK_OUTSIDE = text("""
INSERT INTO llm_usage (category, group_name, task, model, input_tokens, output_tokens,
  cost_micro_usd, date, ts, basis)
VALUES (:category, :group, :task, :model, :input_tokens, :output_tokens, :cost, :day, :now,
  'outside')
""")
_MISCOUNTED = text("""
WITH booked (scope, name, window_key, cost) AS (
  SELECT 'category_day', category, date, cost_micro_usd FROM llm_usage UNION ALL
  SELECT 'category_month', category, substr(date, 1, 7), cost_micro_usd FROM llm_usage UNION ALL
  SELECT 'group_day', group_name, date, cost_micro_usd FROM llm_usage),
sums AS (SELECT scope, name, window_key, sum(cost) AS cost FROM booked GROUP BY 1, 2, 3)
SELECT scope, name, window_key, coalesce(spent_micro_usd, 0) AS counted, coalesce(cost, 0) AS cost
FROM sums FULL JOIN budget_windows USING (scope, name, window_key)
WHERE counted <> cost LIMIT 1
""")


def current_day(conn: Connection, now: datetime) -> str:
    """Return the UTC day that pays now: today, or the newest day in the ledger if it is later.

    A clock that was set back would otherwise reopen caps: an earlier day may have money left.

    Raises:
        CorruptStoreError: a stored day is not a day.
    """
    day = str(conn.execute(_DAY, {"today": day_key(now)}).scalar_one())
    ends_at(day)  # an invalid day would never end, so its cap would never reopen
    return day


def windows(conn: Connection, wanted: Iterable[WindowName], now: datetime) -> list[Window]:
    """Return the spent and reserved money of each window, in the given order.

    Raises:
        CorruptStoreError: a stored amount is negative.
    """
    values = {"wanted": json.dumps(list(wanted)), "now": to_micros(now)}
    return [_window(row) for row in conn.execute(_WINDOWS, values)]


def reserve(conn: Connection, reservation: Reservation, now: datetime) -> None:
    """Insert a reservation."""
    conn.execute(
        _RESERVE,
        _of_purpose(reservation.purpose)
        | {
            "uid": reservation.uid,
            "estimate": reservation.estimate_micro_usd,
            "day": reservation.day_key,
            "outside": int(reservation.outside),
            "now": to_micros(now),
            "expires": to_micros(reservation.expires_at),
        },
    )


def warn(conn: Connection, window: Window, now: datetime) -> None:
    """Record that the warning of a window was logged."""
    values = {"scope": window.scope, "name": window.name, "key": window.key}
    conn.execute(_WARN, values | {"now": to_micros(now)})


def settle(
    conn: Connection, uid: str, usage: Usage | None, note: str | None, now: datetime
) -> Reservation | None:
    """Book the cost of a reserved call in the windows of its reservation.

    Args:
        usage: measured usage; None charges the reserved amount.

    Returns:
        The reservation, or None if it was settled or released before.

    Raises:
        NotFoundError: no reservation has this uid.
    """
    values = {
        "uid": uid,
        "input_tokens": usage.input_tokens if usage else 0,
        "output_tokens": usage.output_tokens if usage else 0,
        "cost": usage.cost_micro_usd if usage else None,
        "now": to_micros(now),
        "note": note,
    }
    conn.execute(_BOOK, values)
    row = conn.execute(_SETTLE, {"uid": uid}).one_or_none()
    if row is None:
        _check_known(conn, uid)
        return None
    purpose = Purpose(row.category, row.group_name, row.task, row.model)
    expires_at = from_micros(row.expires_at)
    return Reservation(
        uid, purpose, row.estimate_micro_usd, row.day_key, expires_at, bool(row.outside)
    )


def release(conn: Connection, uid: str) -> bool:
    """Release a reservation; False if it is no longer open.

    Raises:
        NotFoundError: no reservation has this uid.
    """
    if conn.execute(_RELEASE, {"uid": uid}).rowcount == 1:
        return True
    _check_known(conn, uid)
    return False


def expire(conn: Connection, now: datetime) -> int:
    """Book the reservations that were not settled in time as spent; return how many."""
    values = {"now": to_micros(now)}
    if conn.execute(_BOOK_EXPIRED, values).rowcount == 0:
        return 0
    return conn.execute(_EXPIRE, values).rowcount


def book_outside(conn: Connection, purpose: Purpose, usage: Usage, day: str, now: datetime) -> None:
    """Book a call of another program that had no reservation."""
    conn.execute(
        _BOOK_OUTSIDE,
        _of_purpose(purpose)
        | {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cost": usage.cost_micro_usd,
            "day": day,
            "now": to_micros(now),
        },
    )


def usage_after(conn: Connection, last_id: int) -> list[UsageSum]:
    """Return the calls booked after a row of the usage, summed by category, model and basis."""
    return [UsageSum(*row) for row in conn.execute(_USAGE_AFTER, {"last_id": last_id})]


def stopped(conn: Connection) -> SpendingStop | None:
    """Return the stop of all spending, or None."""
    row = conn.execute(_STOPPED).one_or_none()
    return None if row is None else SpendingStop(from_micros(row.stopped_at), row.note)


def stop(conn: Connection, note: str, now: datetime) -> bool:
    """Stop all spending; False if it was already stopped (the first note stays)."""
    return conn.execute(_STOP, {"note": note, "now": to_micros(now)}).rowcount == 1


def resume(conn: Connection) -> bool:
    """Allow spending again; False if it was not stopped."""
    return conn.execute(_RESUME).rowcount == 1


def check_counted(conn: Connection) -> None:
    """Check that every window equals the sum of its bookings; reads every row.

    Raises:
        CorruptStoreError: a window differs.
    """
    row = conn.execute(_MISCOUNTED).one_or_none()
    if row is not None:
        raise CorruptStoreError(
            f"budget {row.scope} {row.name} {row.window_key} counts {row.counted} micro-USD, "
            f"but llm_usage sums to {row.cost}: instance.sqlite was edited by hand; "
            "use `afterword store restore` from a backup"
        )


def _check_known(conn: Connection, uid: str) -> None:
    if conn.execute(_KNOWN, {"uid": uid}).one_or_none() is None:
        raise NotFoundError(f"no reservation {uid!r}; see `afterword budget show`")


def _window(row: Row[tuple[object, ...]]) -> Window:
    if min(row.spent, row.lapsed, row.reserved) < 0:
        raise CorruptStoreError(
            f"budget {row.scope} {row.name} {row.window_key} has a negative amount; "
            "every call is refused: use `afterword store restore` from a backup"
        )
    return Window(
        row.scope,
        row.name,
        row.window_key,
        spent_micro_usd=row.spent + row.lapsed,
        reserved_micro_usd=row.reserved,
        frees_at=None if row.frees_at is None else from_micros(row.frees_at),
        warned_at=None if row.warned_at is None else from_micros(row.warned_at),
    )


def _of_purpose(purpose: Purpose) -> dict[str, str | int]:
    return {
        "category": purpose.category,
        "group": purpose.group,
        "task": purpose.task,
        "model": purpose.model,
    }
