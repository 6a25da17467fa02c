"""When the views of a page may have changed, without computing them."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.changes import stamp_of
from afterword.pipeline.core.store.names import group_path, log_path

WORDS_S: Final = 10
"""Views tell how long ago something was, so that they change without a write: they are computed
again after this time; seconds."""

REST: Final = 400
"""A page that took a time to compute is computed again after so many times that time at the
earliest: however many tabs show it, it takes a quarter of a percent of a processor."""

MOST_KEPT: Final = 64
"""Pages whose views are kept, the one that was asked longest ago makes room; count."""


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """The views of a page, and the tag under which a browser keeps them."""

    tag: str
    html: str


@dataclass(frozen=True, slots=True)
class _KeptViews:
    answer: LiveAnswer
    stamp: str
    until: float


class LivePages:
    """The views of the pages that are open somewhere; threads may share it.

    Args:
        name: of the process: after it started again, nothing is taken for unchanged.
        monotonic: seconds that only grow.
    """

    def __init__(self, stores: Stores, clock: Clock, monotonic: Monotonic, name: str) -> None:
        self._stores, self._clock, self._monotonic, self._name = stores, clock, monotonic, name
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _KeptViews] = OrderedDict()

    def answer(self, page: str, group: str, compute: Callable[[], str]) -> LiveAnswer:
        """Return the views of a page, computed only if they may have changed.

        Args:
            page: names its address and who may see it.
            compute: returns its views; they are the same for all who may see it.
        """
        stamp, now = self._stamp(group), self._monotonic()
        with self._lock:
            kept = self._kept.get(page)
            if kept is not None and (kept.stamp == stamp or now < kept.until):
                self._kept.move_to_end(page)
                return kept.answer
        html = compute()
        took = self._monotonic() - now
        digest = sha256(f"{self._name} {page} {html}".encode("utf-8", "surrogatepass"))
        answer = LiveAnswer(f'"{digest.hexdigest()[:32]}"', html)
        with self._lock:
            self._kept[page] = _KeptViews(answer, stamp, now + took * REST)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return answer

    def _stamp(self, group: str) -> str:
        """Return a value that changes with every write that a page may show, and every while.

        The stamps are read before the views, so a write after them is seen by the next call.
        """
        home = self._stores.home
        files = [home / "instance.sqlite", group_path(home, group)]
        stamps = [stamp_of(path) for file in files for path in (file, log_path(file))]
        stamps += [stamp_of(home / "owners"), stamp_of(home / "replays")]
        return f"{stamps} {int(self._clock().timestamp()) // WORDS_S}"
