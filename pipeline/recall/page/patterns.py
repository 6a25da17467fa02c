"""The section of a page with what past decisions show about the asset."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.patterns.model import Pattern
from afterword.pipeline.domain.patterns.read import current
from afterword.pipeline.domain.patterns.text import market_beside
from afterword.pipeline.recall.page.model import PageAsset, PageLine
from afterword.pipeline.recall.prompts.prompt_lessons import PROMPT_STATES, LessonChoice
from afterword.pipeline.recall.prompts.sanitize import SHORT, prompt_line
from afterword.pipeline.rules.evidence.model import PatternState

_LABELS: Final[dict[PatternState, str]] = {"confirmed": "confirmed", "emerging": "hint"}


@dataclass(frozen=True, slots=True)
class PatternSection:
    """The patterns that may be told of the asset, by any role; never one outside its scope.

    Below a confirmed one stands what the market itself did there, if that was unlike its base.

    Args:
        most: lines at most.
        choice: what of them is shown; `all` for hints too.
    """

    most: int
    title: str = "What past decisions show"
    has_hard_constraints: bool = False
    choice: LessonChoice = "confirmed"

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, the latest first."""
        moment = None if as_of is None else from_micros(as_of)
        classes = {asset.asset_class, asset.group}
        found = [
            one
            for one in current(conn, None, PROMPT_STATES[self.choice], moment)
            if one.asset_class in classes and one.is_told_of(asset.key) and prompt_line(one.text)
        ]
        found.sort(key=lambda one: (one.known_at, one.id), reverse=True)
        return [line for one in found for line in _lines(one)][: self.most]


def _lines(one: Pattern) -> Iterator[PageLine]:
    text = whole_sentences(f"{one.role_id}: {one.text}", SHORT)
    yield PageLine(_LABELS[one.state], text, one.known_at)
    if market := market_beside(one):
        yield PageLine("market", f"{one.role_id}: {market}", one.known_at)


def whole_sentences(text: str, most: int) -> str:
    """Return as many sentences as fit: a number must not lose the words that qualify it."""
    first, *others = text.split(". ")
    said = first
    for sentence in others:
        longer = f"{said}. {sentence}"
        if len(longer) > most:
            return f"{said}."
        said = longer
    return said


PATTERNS: Final = PatternSection(10)
