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
        patterns = [
            pattern
            for pattern in current(conn, None, PROMPT_STATES[self.choice], moment)
            if pattern.asset_class in classes
            and pattern.is_told_of(asset.key)
            and prompt_line(pattern.text)
        ]
        patterns.sort(key=lambda pattern: (pattern.known_at, pattern.id), reverse=True)
        return [line for pattern in patterns for line in _lines(pattern)][: self.most]


def _lines(pattern: Pattern) -> Iterator[PageLine]:
    text = whole_sentences(f"{pattern.role_id}: {pattern.text}", SHORT)
    yield PageLine(_LABELS[pattern.state], text, pattern.known_at)
    if market := market_beside(pattern):
        yield PageLine("market", f"{pattern.role_id}: {market}", pattern.known_at)


def whole_sentences(text: str, most: int) -> str:
    """Return as many sentences as fit: a number must not lose the words that qualify it."""
    first, *others = text.split(". ")
    fitting = first
    for sentence in others:
        longer = f"{fitting}. {sentence}"
        if len(longer) > most:
            return f"{fitting}."
        fitting = longer
    return fitting


PATTERNS: Final = PatternSection(10)
