"""Fields that several pages of traders have, and what is read of them."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from afterword.pipeline.doors.web.model import PageField
from afterword.pipeline.errors import InvalidInputError


def select(name: str, label: str, values: Iterable[str], value: str | None) -> PageField:
    """Return a field that chooses one of some values, or any."""
    choices = [("", "any"), *((each, each) for each in values)]
    return PageField(name, label, "select", value or "", choices)


def day(name: str, label: str, value: str | None) -> PageField:
    """Return a field that chooses a day."""
    return PageField(name, label, "date", value or "")


def start_of(written: str | None, field: str, days_later: int = 0) -> datetime | None:
    """Return the midnight, UTC, at which a day of a field begins, or one some days later.

    Raises:
        InvalidInputError: not a day.
    """
    if written is None:
        return None
    try:
        chosen = date.fromisoformat(written) + timedelta(days=days_later)
    except (ValueError, OverflowError):
        raise InvalidInputError(field, f"is {written!a:.20}", "a day, such as 2026-01-05") from None
    return datetime(chosen.year, chosen.month, chosen.day, tzinfo=UTC)
