"""How important an event is: routine, news, or trouble."""

import logging
from collections.abc import Mapping
from typing import Any, Final

BUSY: Final = frozenset({"store", "message", "relay", "jobs", "broker"})
"""Areas that tell of every transaction and every message, for whoever asks for DEBUG."""

TROUBLE: Final = frozenset(
    {
        *("failed", "refused", "skipped", "dropped", "lost", "stale", "hung", "stuck", "died"),
        *("away", "untidy", "unserved", "freed", "resent", "overdue"),
    }
)
"""Words after the dot that a person should see, whoever tells them."""

ONCE: Final = frozenset({"redis.away"})
"""Warnings that are emitted once per incident, so that two of them are two incidents."""

EXPECTED: Final = frozenset({"message.skipped"})
"""Sounds like trouble, but is a gate at work."""

_ENDED: Final = {
    "done": logging.INFO,
    "handed_back": logging.INFO,
    "postponed": logging.INFO,
    "dead": logging.ERROR,
}

# It logs each failed run with its traceback and each message a gate held back; the ledger's
# events tell both, once and without what was stored.
_TOLD_BY_US: Final = "dramatiq.worker.WorkerThread"

# Each consumer thread logs this once a second while Redis is away; `redis.away` is enough.
_OUTAGE: Final = "Consumer encountered a connection error"


def level_of(action: str, facts: Mapping[str, Any]) -> int:
    """Return the level of an event: its own fact `level`, or what its action and outcome say."""
    if "level" in facts:
        return logging.getLevelNamesMapping().get(facts["level"], logging.WARNING)
    if action == "jobs.ended":
        return _ENDED.get(facts.get("outcome", ""), logging.WARNING)
    if action == "cron.fired":
        return logging.WARNING if facts.get("missed") else logging.DEBUG
    if action == "relay.epoch":  # an empty Redis is news at the first start, and trouble later
        return logging.WARNING if facts.get("jobs") else logging.INFO
    area, _, word = action.partition(".")
    if word in TROUBLE and action not in EXPECTED:
        return logging.WARNING
    return logging.DEBUG if area in BUSY else logging.INFO


def level_of_record(record: logging.LogRecord) -> int:
    """Return the level of a library's log record."""
    is_told = record.name == _TOLD_BY_US or str(record.msg).startswith(_OUTAGE)
    return logging.DEBUG if is_told else record.levelno
