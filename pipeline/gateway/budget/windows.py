"""The UTC day and month that pay for a call, and the moment they end."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from afterword.pipeline.errors import CorruptStoreError

BudgetScope = Literal["category_day", "category_month", "group_day"]

WindowName = tuple[BudgetScope, str, str]
"""(scope, category or group, window key); each cap limits one."""


def day_key(moment: datetime) -> str:
    """Return the UTC day of a moment: `2026-01-05`."""
    return moment.astimezone(UTC).date().isoformat()


def category_windows(category: str, day: str) -> list[WindowName]:
    """Return the two windows of a category: its day, and the month of that day (`2026-01`)."""
    return [("category_day", category, day), ("category_month", category, day[:7])]


def group_window(group: str, day: str) -> WindowName:
    """Return the one window of a group: its day, over all categories."""
    return ("group_day", group, day)


def ends_at(window_key: str) -> datetime:
    """Return the midnight (aware UTC) at which a day or a month ends.

    Raises:
        CorruptStoreError: the stored key is neither a day nor a month.
    """
    try:
        if len(window_key) == len("2026-01"):
            first = date.fromisoformat(f"{window_key}-01")
            # 32 days later is always in the next month.
            end = (first + timedelta(days=32)).replace(day=1)
        else:
            end = date.fromisoformat(window_key) + timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise CorruptStoreError(
            f"the budget's ledger has a window {window_key!r}, which is neither a day nor a month; "
            "every call is refused: use `afterword store restore` from a backup"
        ) from error
    return datetime.combine(end, time(), UTC)
