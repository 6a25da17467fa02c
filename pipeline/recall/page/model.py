"""The parts of a compiled page: its asset, head and lines, and the sections that make them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from afterword.pipeline.rules.market.taxonomy import AssetClass, AssetGroup


@dataclass(frozen=True, slots=True)
class PageAsset:
    """The asset of a page.

    Args:
        key: the key of its edges, such as `BTC` or `EURUSD`.
        group: by which lessons name it too; None of an unknown class.
        forms: other ways to write it, sorted.
    """

    key: str
    asset_class: AssetClass
    group: AssetGroup | None
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageLine:
    """One line of a page.

    Args:
        label: its kind, such as `lesson`; a word of ours.
        text: any text; it becomes one line.
        at: when it happened or became known, if that matters; aware UTC.
    """

    label: str
    text: str
    at: datetime | None = None


class PageSection(Protocol):
    """One part of a page; sections of the same title follow each other below it."""

    @property
    def title(self) -> str:
        """The heading, a word or two of ours."""

    @property
    def has_hard_constraints(self) -> bool:
        """Whether pages without hard constraints leave it out."""

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, now: datetime, /
    ) -> Sequence[PageLine]:
        """Return its lines: the same for the same rows and moment.

        Args:
            as_of: use only what was visible at this moment; microseconds.
            now: the page's present; equal to that moment where one is given.
        """


@dataclass(frozen=True, slots=True)
class PageHead:
    """The first lines of a page.

    Args:
        edges: how many edges of each type lead to the asset, the number as it is printed.
        first_seen: when the earliest row about it happened or became known.
        last_seen: the same of the latest.
        waiting: memories of any entity that wait for their edges.
        advice: what the reader can do about them.
    """

    asset: PageAsset
    edges: tuple[tuple[str, str], ...]
    first_seen: datetime | None
    last_seen: datetime | None
    waiting: int = 0
    advice: str = ""
