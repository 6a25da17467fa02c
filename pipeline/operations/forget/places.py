"""The columns that can hold stored content, as areas declare them."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import Area, ForgetPlace, in_order
from afterword.pipeline.core.store import Store


class Files(NamedTuple):
    """The two files that forgetting changes: that of a group, and that of the installation."""

    group: Store
    instance: Store

    def of(self, place: ForgetPlace) -> Store:
        """Return the file that a place is in."""
        return self.group if place.file == "group" else self.instance


def places_of(areas: Iterable[Area]) -> tuple[ForgetPlace, ...]:
    """Return the places that areas declare, in the order they are erased."""
    return tuple(in_order(areas, lambda area: area.places))


FORGET_PLACES: Final = places_of(all_areas())
"""Every place."""

(MEMORIES,) = (place for place in FORGET_PLACES if place.table == "memories")
