"""What a compiled page is made of: an asset, lines about it, and who provides them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from afterword.pipeline.rules.market.taxonomy import AssetClass


@dataclass(frozen=True, slots=True)
class PageAsset:
    """What a page is about.

    Args:
        key: the key everything about it is filed under, such as `BTC` or `EURUSD`.
        forms: other ways it is written, sorted.
    """

    key: str
    asset_class: AssetClass
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageLine:
    """One thing a page says.

    Args:
        label: what sort of thing it is, such as `lesson`; a word of ours.
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
        """Whether it is left out of the pages without hard constraints."""

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, now: datetime, /
    ) -> Sequence[PageLine]:
        """Return what there is to say: the same lines for the same rows and moment.

        Args:
            as_of: say only what was known and stood at this moment; microseconds.
            now: the page's present, which is that moment where one is given.
        """


@dataclass(frozen=True, slots=True)
class PageHead:
    """What a page says of its asset before all else.

    Args:
        edges: how often each sort of edge leads to it, the number as it is printed.
        first_seen: when the earliest row about it happened or became known.
        last_seen: the same of the latest.
        waiting: memories that wait for their edges, about whatever they are.
    """

    asset: PageAsset
    edges: tuple[tuple[str, str], ...]
    first_seen: datetime | None
    last_seen: datetime | None
    waiting: int = 0
