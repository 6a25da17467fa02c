"""Numbers of a group that `/metrics` shows: how an area reads them, and sums those of all groups.

An area names a class in `Area.numbers`; the class stands in the `metrics.py` of its room. A metric
with a label for the group would be one series for each group.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol, TypeVar

from sqlalchemy import Connection

OTHER: Final = "other"
"""Label of names that this program does not know; it bounds the number of labels."""

Values = Mapping[tuple[str, ...], float]
"""A metric's numbers by label values, in the order that the metric declares."""

Tally = Counter[tuple[str, ...]]
"""The same type while the numbers are being counted."""

Numbers = TypeVar("Numbers")


class GroupNumbers(Protocol[Numbers]):
    """Reads the numbers of a group, and sums those of all groups.

    It is made with the parts of the process that shows the metrics, and may remember labels.
    """

    def read(self, conn: Connection) -> Numbers:
        """Return the numbers of a group; it is read again only after its file changed."""

    def sums(
        self, present: Sequence[Numbers], gone: Sequence[Numbers], now: datetime, /
    ) -> Mapping[str, Values]:
        """Return the numbers of all groups, by metric.

        Args:
            gone: numbers of groups that were removed; a counter keeps them, since it never falls.
        """


@dataclass(slots=True)
class BoundedNames:
    """Returns the first names as they are, and `other` for any further name.

    Args:
        most: names that are shown (count).
    """

    most: int
    _seen: set[str] = field(default_factory=set)

    def label(self, name: str) -> str:
        """Return the label of a name; it is always the same for the same name."""
        if len(self._seen) < self.most:
            self._seen.add(name)
        return name if name in self._seen else OTHER
