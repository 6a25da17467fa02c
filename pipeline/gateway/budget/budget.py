"""Check, reserve and book money: one ledger for all processes."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.names import checked_address
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import rows
from afterword.pipeline.gateway.budget.admission import (
    check_caps,
    check_not_stopped,
    crosses_soft,
    headroom_in,
)
from afterword.pipeline.gateway.budget.amounts import MOST_MICRO_USD, checked_count, usd
from afterword.pipeline.gateway.budget.caps import Caps
from afterword.pipeline.gateway.budget.model import (
    Purpose,
    Reservation,
    Usage,
    Window,
    checked_category,
)
from afterword.pipeline.gateway.budget.overview import Overview, overview
from afterword.pipeline.gateway.budget.windows import WindowName, category_windows, group_window
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.masking import mask

BUDGET_GATE: Final = "budget"
"""Start of the name of every budget gate: `budget:learning`."""

LONGEST_HOLD_S = 7 * 86_400.0
"""Longest life of a reservation: a week, longer than any call; seconds."""


class Budget:
    """The ledger of the calls to models and embedders, with their caps.

    Each verb is one short transaction on `instance.sqlite`, so the caps apply to all processes
    together. The reservations of a killed process are charged.

    Args:
        store: the installation's `instance.sqlite`.
        caps: this process's caps.
        clock: the real present, in a replay too, since real money is spent.
        ids: source of reservation uids.
    """

    def __init__(self, store: Store, caps: Caps, clock: Clock, ids: IdSource) -> None:
        self._store, self._caps, self._clock, self._ids = store, caps, clock, ids

    def check(self, category: str, group: str) -> None:
        """Check, before a job starts, that it could spend something.

        Raises:
            BudgetExceededError: a cap is reached, or spending is stopped (`reopens_at` is None).
        """
        checked_category(category)
        checked_address(group)
        with reading(self._store) as conn:
            self._admit(conn, category, group, 1, self._clock())

    def headroom(self, category: str, group: str) -> int:
        """Return the largest amount that one call could reserve now; micro-USD."""
        checked_category(category)
        checked_address(group)
        with reading(self._store) as conn:
            if rows.stopped(conn) is not None:
                return 0
            now = self._clock()
            day = rows.current_day(conn, now)
            windows = rows.windows(conn, _paying(category, group, day), now)
        return headroom_in(self._caps, windows)

    def reserve(
        self, purpose: Purpose, estimate_micro_usd: int, ttl_s: float, *, outside: bool = False
    ) -> Reservation:
        """Reserve the greatest possible cost of a call before it is made.

        Args:
            estimate_micro_usd: the worst case; micro-USD.
            ttl_s: time after which the reservation counts as spent, longer than the call's own
                deadline; seconds.
            outside: for a call of another program, which settles it by its uid.

        Raises:
            BudgetExceededError: the amount does not fit under every cap, or spending is stopped.
            InvalidInputError: the estimate or the time is out of range.
        """
        checked_count(estimate_micro_usd, "estimate_micro_usd", MOST_MICRO_USD)
        if not 0 < ttl_s <= LONGEST_HOLD_S:
            raise InvalidInputError("ttl_s", f"{ttl_s}", f"seconds, above 0, to {LONGEST_HOLD_S:g}")
        with writing(self._store) as conn:
            now = self._clock()  # read inside the transaction: the wait may have crossed midnight
            expired = rows.expire(conn, now)
            # A free call requests 1 micro-USD: a cap of 0 must refuse it too.
            requested = max(1, estimate_micro_usd)
            day, windows = self._admit(conn, purpose.category, purpose.group, requested, now)
            expires_at = now + timedelta(seconds=ttl_s)
            reservation = Reservation(
                self._ids(), purpose, estimate_micro_usd, day, expires_at, outside=outside
            )
            rows.reserve(conn, reservation, now)
            warned = self._warn(conn, windows, estimate_micro_usd, now)
        _emit_committed(warned, expired)
        return reservation

    def settle(self, uid: str, usage: Usage) -> bool:
        """Book the measured cost of a call in the windows of its reservation.

        A cost above the reservation is booked in full. It means that the price or the estimate is
        wrong, so all spending stops until a person resumes it. An outside reservation is a guess
        of its caller: its excess is booked too, and stops nothing.

        Returns:
            False if it was settled or released before; then nothing changes.

        Raises:
            NotFoundError: no reservation has this uid.
        """
        return self._settle(uid, usage, None)

    def settle_at_reservation(self, uid: str, why: str) -> bool:
        """Book the reserved amount for a call of unknown cost: time-out, lost connection, no usage.

        Returns:
            False if it was settled or released before; then nothing changes.

        Raises:
            NotFoundError: no reservation has this uid.
        """
        return self._settle(uid, None, why)

    def release(self, uid: str) -> bool:
        """Release the reservation of a request that was certainly not sent or not billed.

        Returns:
            False if it was settled, released or charged as expired before.

        Raises:
            NotFoundError: no reservation has this uid.
        """
        with writing(self._store) as conn:
            return rows.release(conn, uid)

    def expire(self) -> int:
        """Charge the expired reservations, such as those of killed processes; return how many."""
        with writing(self._store) as conn:
            expired = rows.expire(conn, self._clock())
        _emit_committed((), expired)
        return expired

    def enter_outside(self, purpose: Purpose, usage: Usage) -> None:
        """Book a call of another program; no cap refuses it, since the money is already spent."""
        with writing(self._store) as conn:
            now = self._clock()
            day = rows.current_day(conn, now)
            windows = rows.windows(conn, _paying(purpose.category, purpose.group, day), now)
            rows.book_outside(conn, purpose, usage, day, now)
            warned = self._warn(conn, windows, usage.cost_micro_usd, now)
        _emit_committed(warned, 0)

    def stop(self, note: str = "") -> bool:
        """Stop all spending in every process at once; False if it was already stopped.

        Args:
            note: the reason; its secrets are masked.
        """
        note = mask(note)
        with writing(self._store) as conn:
            done = rows.stop(conn, note, self._clock())
        if done:
            emit("budget.stopped", level="WARNING", note=note)
        return done

    def resume(self) -> bool:
        """Allow spending again; False if it was not stopped."""
        with writing(self._store) as conn:
            done = rows.resume(conn)
        if done:
            emit("budget.resumed")
        return done

    def overview(self) -> Overview:
        """Return the values of `budget show`: every cap, the money left, and tokens by model."""
        with reading(self._store) as conn:
            return overview(conn, self._caps, self._clock())

    def check_counted(self) -> None:
        """Check that every window equals the sum of its bookings; for the doctor, reads every row.

        Raises:
            CorruptStoreError: a window differs: the file was edited by hand.
        """
        with reading(self._store) as conn:
            rows.check_counted(conn)

    def _admit(
        self, conn: Connection, category: str, group: str, amount: int, now: datetime
    ) -> tuple[str, list[Window]]:
        gate = f"{BUDGET_GATE}:{category}"
        check_not_stopped(rows.stopped(conn), gate)
        day = rows.current_day(conn, now)
        windows = rows.windows(conn, _paying(category, group, day), now)
        check_caps(self._caps, windows, amount, gate)
        return day, windows

    def _settle(self, uid: str, usage: Usage | None, why: str | None) -> bool:
        with writing(self._store) as conn:
            now = self._clock()
            reservation = rows.settle(conn, uid, usage, why, now)
            alarm = _overrun(reservation, usage)
            if alarm and reservation and not reservation.outside:
                rows.stop(conn, alarm, now)
        if alarm:
            emit("budget.overrun", level="ERROR", note=alarm)
        if reservation and usage is None:
            emit("budget.unmeasured", level="WARNING", task=reservation.purpose.task, why=why)
        return reservation is not None

    def _warn(
        self, conn: Connection, windows: Iterable[Window], amount: int, now: datetime
    ) -> list[Window]:
        """Record and return the windows that the amount brings to their soft threshold."""
        crossed = [window for window in windows if crosses_soft(self._caps, window, amount)]
        for window in crossed:
            rows.warn(conn, window, now)
        return crossed


def _paying(category: str, group: str, day: str) -> list[WindowName]:
    return [*category_windows(category, day), group_window(group, day)]


def _overrun(reservation: Reservation | None, usage: Usage | None) -> str | None:
    """Return the alarm for a call that cost more than its reservation, or None."""
    if reservation is None or usage is None:
        return None
    if usage.cost_micro_usd <= reservation.estimate_micro_usd:
        return None
    purpose = reservation.purpose
    return (
        f"{purpose.task} with {purpose.model} cost {usd(usage.cost_micro_usd)} USD, "
        f"{usd(reservation.estimate_micro_usd)} was reserved: check its price and its estimate"
    )


def _emit_committed(warned: Iterable[Window], expired: int) -> None:
    """Emit the events of a transaction after its commit."""
    for window in warned:
        emit(
            "budget.soft",
            level="WARNING",
            scope=window.scope,
            name=window.name,
            window=window.key,
            used_micro_usd=window.used_micro_usd,
        )
    if expired:
        emit("budget.expired", level="WARNING", reservations=expired)
