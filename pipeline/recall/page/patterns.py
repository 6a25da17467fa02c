"""The section of a page with what past decisions show about the asset."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.patterns.model import Pattern
from afterword.pipeline.domain.patterns.read import current
from afterword.pipeline.recall.page.model import PageAsset, PageLine
from afterword.pipeline.recall.prompts.sanitize import SHORT, prompt_line
from afterword.pipeline.rules.evidence.model import PatternState
from afterword.pipeline.rules.market.classes import asset_group

_LABELS: Final[dict[PatternState, str]] = {"confirmed": "confirmed", "emerging": "hint"}


@dataclass(frozen=True, slots=True)
class PatternSection:
    """The patterns that may be told of the asset, by any role; never one outside its scope.

    Args:
        most: lines at most.
        choice: `confirmed`, or `all` for hints too: an agent reads the page before it decides.
    """

    most: int
    title: str = "What past decisions show"
    has_hard_constraints: bool = False
    choice: Literal["confirmed", "all"] = "confirmed"

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, the latest first."""
        states: tuple[PatternState, ...] = ("confirmed",)
        if self.choice == "all":
            states = ("confirmed", "emerging")
        moment = None if as_of is None else from_micros(as_of)
        classes = {asset.asset_class, asset_group(asset.key)}
        found = [
            one
            for one in current(conn, None, states, moment)
            if one.asset_class in classes and one.is_told_of(asset.key) and prompt_line(one.text)
        ]
        found.sort(key=lambda one: (one.known_at, one.id), reverse=True)
        return [_line(one) for one in found[: self.most]]


def _line(one: Pattern) -> PageLine:
    text = whole_sentences(f"{one.role_id}: {one.text}", SHORT)
    return PageLine(_LABELS[one.state], text, one.known_at)


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
