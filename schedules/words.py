"""A cron expression in words: `every 10 minutes`, `on Monday at 09:00`."""

import re
from typing import Final

_DAYS: Final = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_NUMBERS: Final = re.compile(r"\d+(,\d+)*")
_STEP: Final = re.compile(r"(?:\*|(\d+)-59)/(\d+)")
_EVERY_HOURS: Final = re.compile(r"\*/(\d+)")
_RANGE: Final = re.compile(r"([0-7])-([0-7])")


def cron_words(cron: str, timezone: str = "UTC") -> str:
    """Return what five fields mean; the fields themselves where no plain words say it.

    Args:
        timezone: in which they are meant.
    """
    minute, hour, day, month, weekday = cron.split()
    days = _days(day, month, weekday)
    times = _times(minute, hour)
    if days is None or times is None:
        return f"{cron} ({timezone})"
    if times.startswith("every"):
        return f"{times}, {days}" if days else times
    return f"{days or 'every day'} {times} {timezone}"


def _times(minute: str, hour: str) -> str | None:
    step = _STEP.fullmatch(minute)
    if minute == "*" and hour == "*":
        return "every minute"
    if step and hour == "*":
        begins = f" from :{int(step[1]):02}" if step[1] else ""
        # A step that does not divide the hour begins again with each.
        begins = begins or ("" if 60 % int(step[2]) == 0 else " from :00")
        return f"every {step[2]} minutes{begins}"
    if not _NUMBERS.fullmatch(minute):
        return None
    minutes = [f"{int(number):02}" for number in minute.split(",")]
    if hour == "*":
        return f"every hour at {_listed([f':{number}' for number in minutes])}"
    every = _EVERY_HOURS.fullmatch(hour)
    if every:
        hour = ",".join(map(str, range(0, 24, int(every[1]))))
    if not _NUMBERS.fullmatch(hour):
        return None
    hours = [f"{int(number):02}" for number in hour.split(",")]
    return f"at {_listed([f'{one}:{other}' for one in hours for other in minutes])}"


def _days(day: str, month: str, weekday: str) -> str | None:
    """Return on which days; empty for every day, None where no plain words say it."""
    if day != "*" and weekday != "*":
        return None  # either one is enough: no plain words
    words = ""
    if weekday != "*":
        if span := _RANGE.fullmatch(weekday):
            return _in_month(f"from {_DAYS[int(span[1]) % 7]} to {_DAYS[int(span[2]) % 7]}", month)
        if not re.fullmatch(r"[0-7](,[0-7])*", weekday):
            return None
        words = f"on {_listed([_DAYS[int(number) % 7] for number in weekday.split(',')])}"
    elif day != "*":
        if not _NUMBERS.fullmatch(day):
            return None
        words = f"on day {_listed(day.split(','))} of the month"
    return _in_month(words, month)


def _in_month(words: str, month: str) -> str | None:
    if month == "*":
        return words
    if not _NUMBERS.fullmatch(month):
        return None
    months = _listed([_MONTHS[int(number) - 1] for number in month.split(",")])
    return f"{words} in {months}" if words else f"on every day in {months}"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
