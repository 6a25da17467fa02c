"""Follow a memory, decision, lesson or method back to the turns, fills and files it comes from."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import Area, in_order, load
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.lineage.model import (
    PRESENT_KINDS,
    Cause,
    LineageStep,
    ReadLineageStep,
)
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.errors import NotFoundError

MAX_CAUSES: Final = 20
"""Causes of one thing that are followed; further ones are counted."""

MAX_STEPS: Final = 200
"""Steps of one answer."""

Readers = Mapping[str, Sequence[ReadLineageStep]]
"""By kind, in the order in which a name is tried."""


@dataclass(frozen=True, slots=True)
class TracedStep:
    """One step back.

    Args:
        depth: steps from the thing that was asked for, which has 0.
        how: how it led to the step that it stands below; empty for the thing itself.
        is_repeat: it stands above with what it comes from.
        not_followed: further things that it comes from, beyond the limits; count.
    """

    depth: int
    how: str
    kind: str
    step: LineageStep
    is_repeat: bool = False
    not_followed: int = 0


def lineage_readers(areas: Iterable[Area]) -> Readers:
    """Return the readers that areas declare."""
    readers: defaultdict[str, list[ReadLineageStep]] = defaultdict(list)
    for declared in in_order(areas, lambda area: area.lineage):
        readers[declared.kind].append(load(declared.reader))
    return readers


def trace(store: Store, name: str | int, readers: Readers, now: datetime) -> list[TracedStep]:
    """Return a thing and all it comes from, each step below the one that it led to.

    Args:
        name: the number of a memory, or the uid of anything: memory, decision, trip, fill, trade,
            methodology, turn or session; or `tag:risk`, `profile:custom_prompt`, a line of the
            portrait.
        now: the present; of what changes, such as a tag, what is so then.

    Raises:
        NotFoundError: nothing has this name.
    """
    kinds = ["memory"] if isinstance(name, int) else list(readers)
    with reading(store) as conn:
        for kind in kinds:
            first = Cause("", kind, name, to_micros(now) if kind in PRESENT_KINDS else None)
            step = _read(conn, readers, first)
            if step is not None:
                return list(_walk(conn, readers, first, step))
    accepted = "a memory's number, any uid, or a tag such as tag:risk"
    raise NotFoundError(f"nothing is named {short_repr(name)}: {accepted}")


def _walk(
    conn: Connection, readers: Readers, first: Cause, start: LineageStep
) -> Iterator[TracedStep]:
    """Yield the steps, those of one cause before those of the next."""
    waiting, steps = [(0, first, start)], 1
    told: set[tuple[str, str | int]] = set()
    while waiting:
        depth, cause, step = waiting.pop()
        place = (cause.kind, cause.key)
        if place in told:
            yield TracedStep(depth, cause.how, cause.kind, step, is_repeat=bool(step.causes))
            continue
        told.add(place)
        followed = step.causes[: min(MAX_CAUSES, MAX_STEPS - steps)]
        below = [
            (depth + 1, led, found)
            for led in followed
            if (found := _read(conn, readers, led)) is not None
        ]
        steps += len(below)
        left = len(step.causes) - len(followed)
        yield TracedStep(depth, cause.how, cause.kind, step, not_followed=left)
        waiting += reversed(below)


def _read(conn: Connection, readers: Readers, cause: Cause) -> LineageStep | None:
    """Return a thing with what all rooms say that it comes from."""
    steps = [
        step
        for read in readers.get(cause.kind, ())
        if (step := read(conn, cause.key, cause.at)) is not None
    ]
    known = next((step for step in steps if step.name), None)
    if known is None:
        return None
    causes = tuple(cause for step in steps for cause in step.causes)
    return LineageStep(known.name, known.says, known.at, causes)
