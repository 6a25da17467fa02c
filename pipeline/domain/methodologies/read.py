"""Read methodologies: one with its story, a list, the few that prompts may show."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.memory.checks import check_limit, check_word, is_name, short_repr
from afterword.pipeline.domain.methodologies import read_rows
from afterword.pipeline.domain.methodologies.model import (
    METHOD_SOURCES,
    METHOD_STATES,
    LifecycleEvent,
    Methodology,
    MethodSighting,
    MethodState,
    asset_classes,
)
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.rules.evidence.model import HitCount

MAX_LISTED_METHODS: Final = 10_000
"""Methodologies of one list."""


class GraduateCounts(NamedTuple):
    """The record of a graduate before it graduated, and since: out of sample by construction."""

    before: HitCount
    since: HitCount


@dataclass(frozen=True, slots=True)
class MethodologyStory:
    """A methodology with what happened to it, and each time it was written again."""

    methodology: Methodology
    events: tuple[LifecycleEvent, ...]
    sightings: tuple[MethodSighting, ...]

    @property
    def counts(self) -> GraduateCounts | None:
        """The record before and since the strict gate graduated it; None unless it stands."""
        figures = self.methodology.figures
        if figures is None or figures.strict_since is None:
            return None
        graduated = [
            event for event in self.events if (event.kind, event.gate) == ("graduated", "strict")
        ]
        numbers = graduated[-1].numbers
        of, hits = numbers["n_eff"], numbers["hits"]
        before = HitCount(of, hits, numbers["base"] * of)
        since = HitCount(
            figures.effective_uses - of,
            figures.effective_correct - hits,
            figures.expected - before.expected,
        )
        return GraduateCounts(before, since)


def find_methodology(
    conn: Connection, name: str | int, as_of: datetime | None = None
) -> Methodology:
    """Return a methodology.

    Args:
        name: its uid, or its number inside the store.

    Raises:
        NotFoundError: there is none, or there was none at the moment.
    """
    may_be_one = isinstance(name, int) or is_name(name)
    method = read_rows.find(conn, name, _micros(as_of)) if may_be_one else None
    if method is None:
        raise NotFoundError(f"no methodology {short_repr(name)}; `afterword methodology ls`")
    return method


def methodology_story(
    conn: Connection, name: str | int, as_of: datetime | None = None
) -> MethodologyStory:
    """Return a methodology with its events and sightings; see `find_methodology`."""
    method, at = find_methodology(conn, name, as_of), _micros(as_of)
    events = read_rows.events(conn, method.id, at)
    sightings = read_rows.sightings(conn, method.id, at)
    return MethodologyStory(method, tuple(events), tuple(sightings))


def list_methodologies(
    conn: Connection,
    *,
    asset_class: str | None = None,
    state: str | None = None,
    source: str | None = None,
    limit: int = MAX_LISTED_METHODS,
    as_of: datetime | None = None,
    after: read_rows.MethodPlace | None = None,
) -> list[Methodology]:
    """Return methodologies, the graduated ones first.

    Args:
        after: the place of the last one of the page before, from `read_rows.place_of`.

    Raises:
        InvalidInputError: no such class, state or source, or a limit out of range.
    """
    if asset_class is not None:
        check_word(asset_class, asset_classes(), "class")
    if state is not None:
        check_word(state, METHOD_STATES, "state")
    if source is not None:
        check_word(source, METHOD_SOURCES, "source")
    check_limit(limit, MAX_LISTED_METHODS)
    return read_rows.listing(conn, asset_class, state, source, limit, _micros(as_of), after)


def count_methodologies(
    conn: Connection, as_of: datetime | None = None, *, placebos: bool = False
) -> dict[MethodState, int]:
    """Return how many methodologies are in each state that has any.

    Args:
        placebos: count these instead; they are told apart everywhere.
    """
    counts: Counter[str] = Counter()
    for state, is_placebo, number in read_rows.counts(conn, _micros(as_of)):
        if is_placebo == placebos:
            counts[state] += number
    return {state: counts[state] for state in METHOD_STATES if counts[state]}


def suggested_methodologies(
    conn: Connection, asset_class: str, limit: int, as_of: datetime | None = None
) -> list[Methodology]:
    """Return the methodologies of a class that prompts may show, the most trusted first.

    Only graduated ones, that no judge flags and in which no payload stands.
    """
    return read_rows.suggested(conn, asset_class, limit, _micros(as_of))


def unknown_methods(conn: Connection, uids: list[str] | tuple[str, ...]) -> list[str]:
    """Return the cited ids that name no methodology: they cast no vote."""
    return read_rows.unknown(conn, uids) if uids else []


def _micros(as_of: datetime | None) -> int | None:
    return None if as_of is None else to_micros(as_of)
