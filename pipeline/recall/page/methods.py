"""The section of a page with the methods that may be followed for the asset."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.methodologies.model import SPANS, Methodology
from afterword.pipeline.domain.methodologies.read import suggested_methodologies
from afterword.pipeline.domain.synthesis.luck import expected_luck
from afterword.pipeline.recall.page.model import PageAsset, PageLine

_MOST_READ: Final = 1_000
"""Graduated methods of a class that are read."""


@dataclass(frozen=True, slots=True)
class MethodSection:
    """The graduated methods of the asset's class (R1's compiled truth), and how many are luck.

    One in quarantine, flagged, merged or deleted never comes.

    Args:
        most: lines at most.
    """

    most: int
    title: str = "Compiled truth"
    has_hard_constraints: bool = False

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, the newest first: of the past, too, that is known."""
        moment = None if as_of is None else from_micros(as_of)
        every = suggested_methodologies(conn, asset.asset_class, _MOST_READ, moment)
        newest = sorted(every, key=lambda method: (method.known_at, method.id), reverse=True)
        methods = newest[: self.most]
        luck = expected_luck(conn, moment) if methods else None
        first = [] if luck is None else [PageLine("luck", luck.words, luck.at)]
        return [*first, *map(_line, methods)]


def _line(method: Methodology) -> PageLine:
    words = (
        f"{method.direction} over {SPANS[method.timeframe]}: {method.methodology} (id {method.uid})"
    )
    return PageLine("method", words, method.known_at)


METHODS: Final = MethodSection(5)
