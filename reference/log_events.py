"""Every event of the log: found in the source, where the program emits it by its literal name."""

import ast
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from afterword.pipeline.core.telemetry.levels import BY_FACTS, level_of
from afterword.workers.observability.events import EVENT_RULES
from reference.markdown import code, codes, page, table

ROOT = Path(__file__).parents[1]
PROGRAM = ("pipeline", "workers", "schedules")

INTRODUCTION = """Each line of the log has one `action` from this list, with its facts \
([the log](../operations.md#log)); `…` stands for facts that differ from line to line. \
`AFTERWORD_LOG_LEVEL` is the lowest level that is written. Where a metric is named, the event \
changes it."""


class Emission(NamedTuple):
    """One call of `emit` in the source.

    Args:
        level: the level that the call states; empty if the rules of levels decide.
        place: the file, below the top of the repository.
    """

    action: str
    facts: tuple[str, ...]
    level: str
    place: str


def log_events_page() -> str:
    """Return the page: one table, by action."""
    events: dict[str, list[Emission]] = {}
    for emission in sorted(emissions()):
        events.setdefault(emission.action, []).append(emission)
    rows = [_row(action, calls) for action, calls in events.items()]
    return page(
        "Log events", INTRODUCTION, table(("action", "level", "facts", "metric", "from"), rows)
    )


def emissions() -> Iterator[Emission]:
    """Yield every call of `emit` in the program.

    Raises:
        ValueError: a call does not name its action literally, so no reader can search for it.
    """
    for file in sorted(file for folder in PROGRAM for file in (ROOT / folder).rglob("*.py")):
        place = file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "emit":
                yield _emission(node, place)


def _emission(call: ast.Call, place: str) -> Emission:
    action = call.args[0]
    if not (isinstance(action, ast.Constant) and isinstance(action.value, str)):
        raise ValueError(f"{place}:{call.lineno}: `emit` must name its action literally")
    facts = {word.arg or "…": word.value for word in call.keywords}
    stated = facts.pop("level", None)
    level = ast.literal_eval(stated) if isinstance(stated, ast.Constant) else ""
    return Emission(action.value, tuple(facts), level, place)


def _row(action: str, calls: list[Emission]) -> tuple[str, ...]:
    facts = dict.fromkeys(fact for call in calls for fact in call.facts)
    levels = dict.fromkeys(call.level or _level_of(action) for call in calls)
    places = dict.fromkeys(call.place for call in calls)
    metrics = [metric.name for metric, _event in EVENT_RULES.get(action, ())]
    return code(action), ", ".join(levels), codes(facts), codes(metrics), codes(places)


def _level_of(action: str) -> str:
    return "by its facts" if action in BY_FACTS else logging.getLevelName(level_of(action, {}))
