"""Compile what is known about an asset into one page, cached while nothing changes."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.edges import read_rows as edge_read_rows
from afterword.pipeline.domain.edges.read import MAX_WAITING, RUN_UP
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.prices.keep_classes import classes_of
from afterword.pipeline.recall.page import rows as page_rows
from afterword.pipeline.recall.page.asset import read_asset
from afterword.pipeline.recall.page.block import render_page
from afterword.pipeline.recall.page.model import PageAsset, PageHead, PageSection

LIFETIME: Final = timedelta(seconds=60)
"""How long a page is cached (R1)."""

MAX_PAGES: Final = 128
"""Pages cached; the least recently used one is dropped."""

MAX_COUNTED: Final = 100
"""Edges of a sort that are counted; more are `100+`."""


@dataclass(frozen=True, slots=True)
class _CachedPage:
    """A page, when it was made, and the store's version then, per connection."""

    text: str
    made_at: datetime
    versions: dict[object, int]


class Pages:
    """The compiled pages of one group. Threads may share it.

    Args:
        clock: the present of the pages; their lifetime is measured with it too.
        sections: the parts of a page, in order.
        advice: returns what the reader can do about memories that are not on the page yet.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        sections: Sequence[PageSection],
        advice: Callable[[], str] = lambda: RUN_UP,
    ) -> None:
        self._store, self._clock, self._sections = store, clock, sections
        self._advice = advice
        self._lock = threading.Lock()
        self._cache: OrderedDict[str, _CachedPage] = OrderedDict()

    def page(
        self,
        asset: str,
        *,
        include_hard_constraints: bool = True,
        as_of: datetime | None = None,
    ) -> str:
        """Return the page of an asset: the same bytes until a row changes.

        A cached page is returned for a minute, unless this process or another one wrote to the
        store; a page as of a moment is made each time.

        Args:
            asset: a symbol in any form, or a name.
            as_of: use only what was visible at this moment.

        Raises:
            InvalidInputError: an asset of no known class, or a moment that cannot be read.
        """
        now = as_of or self._clock()
        sections = [
            section
            for section in self._sections
            if include_hard_constraints or not section.has_hard_constraints
        ]
        advice = self._advice()
        with reading(self._store) as conn:
            about = read_asset(asset, classes_of(conn, as_of))
            if as_of is not None:
                return _compiled(conn, about, sections, read_moment(conn, as_of), now, advice)
            name = about.key if include_hard_constraints else f"{about.key}|nohc"
            counter, version = _version(conn)
            cached = self._find(name, now)
            if cached is not None and cached.versions.get(counter) == version:
                return cached.text
            text = _compiled(conn, about, sections, None, now, advice)
        self._put(name, text, now, counter, version)
        return text

    def key(self, asset: str, *, as_of: datetime | None = None) -> str:
        """Return the symbol of the asset that a page is about.

        Args:
            asset: a symbol in any form, or a name.
            as_of: by the classes that were stated at this moment.

        Raises:
            InvalidInputError: an asset of no known class.
        """
        with reading(self._store) as conn:
            return read_asset(asset, classes_of(conn, as_of)).key

    def _find(self, name: str, now: datetime) -> _CachedPage | None:
        with self._lock:
            cached = self._cache.get(name)
            if cached is None or not timedelta(0) <= now - cached.made_at < LIFETIME:
                return None
            self._cache.move_to_end(name)
            return cached

    def _put(self, name: str, text: str, now: datetime, counter: object, version: int) -> None:
        with self._lock:
            before = self._cache.pop(name, None)
            # An equal page is still valid for a connection that sees no change.
            versions = before.versions if before and before.text == text else {}
            self._cache[name] = _CachedPage(text, now, versions | {counter: version})
            while len(self._cache) > MAX_PAGES:
                self._cache.popitem(last=False)


def _version(conn: Connection) -> tuple[object, int]:
    """Return a number that changes when another connection commits, and who counts it.

    Each connection counts by itself, so the numbers of two are never compared.
    """
    counter = conn.info.setdefault("afterword.counter", object())
    return counter, conn.exec_driver_sql("PRAGMA data_version").scalar_one()


def _compiled(
    conn: Connection,
    asset: PageAsset,
    sections: Sequence[PageSection],
    as_of: int | None,
    now: datetime,
    advice: str,
) -> str:
    counts = page_rows.edge_counts(conn, asset.key, as_of, MAX_COUNTED)
    edges = tuple((name, _number(count)) for name, count in counts.items() if count)
    first_seen, last_seen = page_rows.seen(conn, asset.key, as_of)
    waiting = edge_read_rows.waiting(conn, MAX_WAITING, as_of)
    head = PageHead(asset, edges, first_seen, last_seen, waiting, advice)
    parts = [(section.title, section.lines(conn, asset, as_of, now)) for section in sections]
    return render_page(head, parts)


def _number(count: int) -> str:
    return str(count) if count < MAX_COUNTED else f"{MAX_COUNTED}+"
