"""Format lengths of time, sizes and stored text for one line."""

from datetime import UTC, datetime
from typing import Final

SHOWN_CHARS: Final = 160
"""Characters of a stored text in a table; JSON has all of it."""

_SECOND_STEPS = ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s"))


def one_line(text: str) -> str:
    """Return text on one line without characters that control the reader's terminal.

    Line breaks and tabs become spaces; control, format and lone surrogate characters show as
    escapes.
    """
    return printable(" ".join(text.split()))


def printable(text: str) -> str:
    """Return text with its control, format and lone surrogate characters as escapes."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def shorten(text: str, most: int) -> str:
    """Return one line of at most `most` characters, with a mark where text was cut."""
    line = " ".join(text.split())
    return printable(line if len(line) <= most else line[: most - 1] + "…")


def duration(seconds: float) -> str:
    """Return a length of time in its largest units: `12 ms`, `3.1 s`, `4 min 10 s`, `2 d 3 h`."""
    for step, unit, smaller, smaller_unit in _SECOND_STEPS:
        if seconds >= step:
            whole, rest = divmod(int(seconds), step)
            return f"{whole} {unit} {rest // smaller} {smaller_unit}"
    if seconds >= 1:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.01 else f"{seconds * 1000:.1f} ms"


def moment(at: datetime) -> str:
    """Return a moment to the second: `2026-01-05 00:00:00Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def ago(at: datetime, now: datetime) -> str:
    """Return how long ago a moment was: `4 min 10 s ago`."""
    return f"{duration(max(0.0, (now - at).total_seconds()))} ago"


def in_time(at: datetime, now: datetime) -> str:
    """Return how far in the future a moment is: `in 4 min 10 s`, or `due now`."""
    ahead = (at - now).total_seconds()
    return f"in {duration(ahead)}" if ahead > 0 else "due now"


def size(count: float) -> str:
    """Return a number of bytes as `812 B`, `3.1 kB`, `40.0 MB`, `1.2 GB`."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
