"""Ask whether there is money, hold it, and book what became of it: one ledger for all processes."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.names import checked_group
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import rows
from afterword.pipeline.gateway.budget.admission import (
    check_caps,
    check_not_stopped,
    crosses_soft,
    room_in,
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

GATE: Final = "budget"
"""What the name of every gate that asks for money begins with: `budget:learning`."""

LONGEST_HOLD_S = 7 * 86_400.0
"""No call takes a week; a longer hold would outlive the window it belongs to for no reason."""


class Budget:
    """The ledger of what model and embedding calls may cost and did cost.

    Every verb is one short transaction on `instance.sqlite`, so the caps hold over all processes,
    and whatever a killed one leaves behind is charged.

    Args:
        store: the installation's `instance.sqlite`.
        caps: this process's caps.
        clock: the present; in a replay too the real one, since real money is spent.
        ids: source of reservation uids.
    """

    def __init__(self, store: Store, caps: Caps, clock: Clock, ids: IdSource) -> None:
        self._store, self._caps, self._clock, self._ids = store, caps, clock, ids

    def check(self, category: str, group: str) -> None:
        """Ask, before a job starts, whether it could spend anything at all.

        Raises:
            BudgetExceededError: a cap is reached, or spending is stopped (`reopens_at` None).
        """
        checked_category(category)
        checked_group(group)
        with reading(self._store) as conn:
            self._admit(conn, category, group, 1, self._clock())

    def headroom(self, category: str, group: str) -> int:
        """Return the most a single call could be admitted with now; micro-USD, 0 for nothing."""
        checked_category(category)
        checked_group(group)
        with reading(self._store) as conn:
            if rows.stopped(conn) is not None:
                return 0
            now = self._clock()
            day = rows.current_day(conn, now)
            windows = rows.windows(conn, _paying(category, group, day), now)
        return room_in(self._caps, windows)

    def reserve(
        self, purpose: Purpose, estimate_micro_usd: int, ttl_s: float, *, outside: bool = False
    ) -> Reservation:
        """Hold the most a call may cost, before it is made.

        Args:
            estimate_micro_usd: the worst case, micro-USD.
            ttl_s: seconds after which it counts as spent; longer than the call's own deadline.
            outside: for a call that is made elsewhere and settled by uid.

        Raises:
            BudgetExceededError: it does not fit under every cap, or spending is stopped.
            InvalidInputError: the estimate or the time is out of range.
        """
        checked_count(estimate_micro_usd, "estimate_micro_usd", MOST_MICRO_USD)
        if not 0 < ttl_s <= LONGEST_HOLD_S:
            raise InvalidInputError("ttl_s", f"{ttl_s}", f"seconds, above 0, to {LONGEST_HOLD_S:g}")
        with writing(self._store) as conn:
            now = self._clock()  # asked once we may write: a wait may have crossed midnight
            expired = rows.expire(conn, now)
            # A free call asks for something too, or a cap of 0 would let it through.
            asked = max(1, estimate_micro_usd)
            day, windows = self._admit(conn, purpose.category, purpose.group, asked, now)
            expires_at = now + timedelta(seconds=ttl_s)
            held = Reservation(
                self._ids(), purpose, estimate_micro_usd, day, expires_at, outside=outside
            )
            rows.reserve(conn, held, now)
            warned = self._warn(conn, windows, estimate_micro_usd, now)
        _tell_committed(warned, expired)
        return held

    def settle(self, uid: str, usage: Usage) -> bool:
        """Book what a reserved call really cost, in the window it was reserved in.

        A cost above the reservation is booked in full; since a worst case was none, the price or
        the estimate is wrong, and all spending stops until a person resumes it. An outside
        reservation is its caller's guess: it is booked in full too, and stops nothing.

        Returns:
            False if it was settled or released before; then nothing changes.

        Raises:
            NotFoundError: there is no such reservation.
        """
        return self._settle(uid, usage, None)

    def settle_at_reservation(self, uid: str, why: str) -> bool:
        """Charge a call of unknown cost (time-out, cut connection, no usage) what was held for it.

        Returns:
            False if it was settled or released before; then nothing changes.

        Raises:
            NotFoundError: there is no such reservation.
        """
        return self._settle(uid, None, why)

    def release(self, uid: str) -> bool:
        """Give back what was held for a request that certainly never left this machine.

        Returns:
            False if it was settled, released or charged as expired before.

        Raises:
            NotFoundError: there is no such reservation.
        """
        with writing(self._store) as conn:
            return rows.release(conn, uid)

    def expire(self) -> int:
        """Charge reservations whose process never came back, and return how many."""
        with writing(self._store) as conn:
            expired = rows.expire(conn, self._clock())
        _tell_committed((), expired)
        return expired

    def enter_outside(self, purpose: Purpose, usage: Usage) -> None:
        """Book a call made elsewhere; what is spent is spent, so no cap refuses it."""
        with writing(self._store) as conn:
            now = self._clock()
            day = rows.current_day(conn, now)
            windows = rows.windows(conn, _paying(purpose.category, purpose.group, day), now)
            rows.book_outside(conn, purpose, usage, day, now)
            warned = self._warn(conn, windows, usage.cost_micro_usd, now)
        _tell_committed(warned, 0)

    def stop(self, note: str = "") -> bool:
        """Stop all spending, in every process at once; False if it was stopped before."""
        with writing(self._store) as conn:
            done = rows.stop(conn, note, self._clock())
        if done:
            emit("budget.stopped", level="WARNING", note=note)
        return done

    def resume(self) -> bool:
        """Let money be spent again; False if it was not stopped."""
        with writing(self._store) as conn:
            done = rows.resume(conn)
        if done:
            emit("budget.resumed")
        return done

    def overview(self) -> Overview:
        """Return what `budget show` prints: every cap and what is left of it, tokens by model."""
        with reading(self._store) as conn:
            return overview(conn, self._caps, self._clock())

    def check_counted(self) -> None:
        """Prove the windows equal to the sum of the rows; for the doctor, it reads them all.

        Raises:
            CorruptStoreError: they are not; somebody edited the file.
        """
        with reading(self._store) as conn:
            rows.check_counted(conn)

    def _admit(
        self, conn: Connection, category: str, group: str, amount: int, now: datetime
    ) -> tuple[str, list[Window]]:
        gate = f"{GATE}:{category}"
        check_not_stopped(rows.stopped(conn), gate)
        day = rows.current_day(conn, now)
        windows = rows.windows(conn, _paying(category, group, day), now)
        check_caps(self._caps, windows, amount, gate)
        return day, windows

    def _settle(self, uid: str, usage: Usage | None, why: str | None) -> bool:
        with writing(self._store) as conn:
            now = self._clock()
            held = rows.settle(conn, uid, usage, why, now)
            alarm = _overrun(held, usage)
            if alarm and held and not held.outside:
                rows.stop(conn, alarm, now)
        if alarm:
            emit("budget.overrun", level="ERROR", note=alarm)
        if held and usage is None:
            emit("budget.unmeasured", level="WARNING", task=held.purpose.task, why=why)
        return held is not None

    def _warn(
        self, conn: Connection, windows: Iterable[Window], amount: int, now: datetime
    ) -> list[Window]:
        """Note, and return, the windows an amount takes to their soft threshold; once each."""
        crossed = [window for window in windows if crosses_soft(self._caps, window, amount)]
        for window in crossed:
            rows.warn(conn, window, now)
        return crossed


def _paying(category: str, group: str, day: str) -> list[WindowName]:
    return [*category_windows(category, day), group_window(group, day)]


def _overrun(held: Reservation | None, usage: Usage | None) -> str | None:
    """Say by what a call passed its reservation, or None."""
    if held is None or usage is None or usage.cost_micro_usd <= held.estimate_micro_usd:
        return None
    return (
        f"{held.purpose.task} with {held.purpose.model} cost {usd(usage.cost_micro_usd)} USD, "
        f"{usd(held.estimate_micro_usd)} was reserved: check its price and its estimate"
    )


def _tell_committed(warned: Iterable[Window], expired: int) -> None:
    """Tell what a transaction did once it is certain."""
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
