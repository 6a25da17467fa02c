"""The budget for an operator: every cap, the money left, and the cost by model."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection, func, select, text

from afterword.pipeline.gateway.budget import rows
from afterword.pipeline.gateway.budget.admission import fits, reopens_at
from afterword.pipeline.gateway.budget.caps import Caps
from afterword.pipeline.gateway.budget.model import SPENDING_CATEGORIES, SpendingStop, Window
from afterword.pipeline.gateway.budget.tables import llm_usage
from afterword.pipeline.gateway.budget.windows import (
    BudgetScope,
    WindowName,
    category_windows,
    day_key,
    group_window,
)

_GROUPS = text("""
SELECT name FROM budget_windows WHERE scope = 'group_day' AND window_key = :day UNION
SELECT group_name FROM budget_reservations WHERE state = 'open' AND day_key = :day
""")


@dataclass(frozen=True, slots=True)
class Line:
    """One cap and the money left under it; amounts in micro-USD.

    Args:
        cap_micro_usd: None for a group without a cap.
        left_micro_usd: money that may still be reserved, never negative; None without a cap.
        state: `soft` from the warning threshold on, `spent` when every call is refused.
        reopens_at: when a spent window may have room again; aware UTC.
    """

    scope: BudgetScope
    name: str
    window_key: str
    cap_micro_usd: int | None
    spent_micro_usd: int
    reserved_micro_usd: int
    left_micro_usd: int | None
    state: Literal["open", "soft", "spent"]
    reopens_at: datetime | None


@dataclass(frozen=True, slots=True)
class ModelUse:
    """Calls of one category to one model this month."""

    category: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int


@dataclass(frozen=True, slots=True)
class Overview:
    """The whole budget at one moment.

    Args:
        day: the UTC day that pays now.
        stopped: None unless all spending is stopped.
        categories: a line for the day and one for the month of each category.
        groups: a line for the day of each group that has a cap or spent today.
    """

    day: str
    stopped: SpendingStop | None
    categories: tuple[Line, ...]
    groups: tuple[Line, ...]
    models: tuple[ModelUse, ...]


def overview(conn: Connection, caps: Caps, now: datetime) -> Overview:
    """Return every window of today and this month."""
    day = rows.current_day(conn, now)
    groups = sorted({*caps.groups, *conn.execute(_GROUPS, {"day": day}).scalars()})
    of_categories = [
        window for name in SPENDING_CATEGORIES for window in category_windows(name, day)
    ]
    of_groups = [group_window(name, day) for name in groups]
    return Overview(
        day,
        rows.stopped(conn),
        tuple(_line(caps, window) for window in rows.windows(conn, of_categories, now)),
        tuple(_line(caps, window) for window in rows.windows(conn, of_groups, now)),
        tuple(_models(conn, day[:7])),
    )


def unspent(caps: Caps, now: datetime) -> Overview:
    """Return the overview of an installation without files: every cap, nothing spent."""
    day = day_key(now)

    def lines(names: Iterable[WindowName]) -> tuple[Line, ...]:
        return tuple(_line(caps, Window(*name, 0, 0, None, None)) for name in names)

    of_categories = [
        window for name in SPENDING_CATEGORIES for window in category_windows(name, day)
    ]
    of_groups = [group_window(name, day) for name in sorted(caps.groups)]
    return Overview(day, None, lines(of_categories), lines(of_groups), ())


def _line(caps: Caps, window: Window) -> Line:
    cap = caps.of(window.scope, window.name)
    soft = caps.soft_of(window.scope, window.name)
    spent_up = not fits(caps, window, 1)
    warned = soft is not None and window.used_micro_usd >= soft
    return Line(
        window.scope,
        window.name,
        window.key,
        cap,
        window.spent_micro_usd,
        window.reserved_micro_usd,
        left_micro_usd=None if cap is None else max(0, cap - window.used_micro_usd),
        state="spent" if spent_up else "soft" if warned else "open",
        reopens_at=reopens_at(caps, window, 1) if spent_up else None,
    )


def _models(conn: Connection, month: str) -> list[ModelUse]:
    grouped = conn.execute(
        select(
            llm_usage.c.category,
            llm_usage.c.model,
            func.count(),
            func.sum(llm_usage.c.input_tokens),
            func.sum(llm_usage.c.output_tokens),
            func.sum(llm_usage.c.cost_micro_usd),
        )
        .where(llm_usage.c.date.between(f"{month}-00", f"{month}-99"))
        .group_by(llm_usage.c.category, llm_usage.c.model)
        .order_by(llm_usage.c.category, llm_usage.c.model)
    )
    return [ModelUse(*row) for row in grouped]
