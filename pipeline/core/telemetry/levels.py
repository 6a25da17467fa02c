"""The log level of each event."""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

_BUSY: Final = frozenset({"store", "message", "relay", "jobs", "broker"})
"""Areas with an event for every transaction and every message: their level is DEBUG."""

TROUBLE: Final = frozenset(
    {
        *("failed", "refused", "skipped", "dropped", "lost", "stale", "hung", "stuck", "died"),
        *("away", "untidy", "unserved", "freed", "resent", "overdue"),
    }
)
"""Second words of actions that a person should see, in any area: their level is WARNING."""

ONCE: Final = frozenset({"redis.away"})
"""Warnings that are emitted once per incident: a second one is a second incident, no repetition."""

EXPECTED: Final = frozenset({"message.skipped", "http.refused"})
"""Actions with a word of `TROUBLE` that are part of normal work."""

_ENDED: Final = {
    "done": logging.INFO,
    "handed_back": logging.INFO,
    "postponed": logging.INFO,
    "dead": logging.ERROR,
}

BY_FACTS: Final[Mapping[str, Callable[[Mapping[str, Any]], int]]] = {
    # Each request has these two; the rest of its area is rare.
    "http.answered": lambda _facts: logging.DEBUG,
    "http.identified": lambda _facts: logging.DEBUG,
    "jobs.ended": lambda facts: _ENDED.get(facts.get("outcome", ""), logging.WARNING),
    "cron.fired": lambda facts: logging.WARNING if facts.get("missed") else logging.DEBUG,
    # An empty Redis is normal at the first start, and a loss later.
    "relay.epoch": lambda facts: logging.WARNING if facts.get("jobs") else logging.INFO,
}
"""Actions whose level depends on what happened, or differs from that of their area."""

# This logger writes each failed run with its traceback, and each message that a gate postponed. Our
# own events report both, once and without stored text.
_REPORTED_BY_US: Final = "dramatiq.worker.WorkerThread"

# Each consumer thread logs this once a second while Redis is away; `redis.away` reports it once.
_OUTAGE: Final = "Consumer encountered a connection error"


def level_of(action: str, facts: Mapping[str, Any]) -> int:
    """Return the level of an event: its fact `level`, or the level of its action and outcome."""
    if "level" in facts:
        return logging.getLevelNamesMapping().get(facts["level"], logging.WARNING)
    if action in BY_FACTS:
        return BY_FACTS[action](facts)
    area, _, word = action.partition(".")
    if word in TROUBLE and action not in EXPECTED:
        return logging.WARNING
    return logging.DEBUG if area in _BUSY else logging.INFO


def level_of_record(record: logging.LogRecord) -> int:
    """Return the level of a library's log record."""
    is_ours = record.name == _REPORTED_BY_US or str(record.msg).startswith(_OUTAGE)
    return logging.DEBUG if is_ours else record.levelno
