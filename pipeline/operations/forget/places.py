"""Where remembered words can stand, as areas declare it."""

from collections.abc import Iterable
from typing import Final

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import Area, ForgetPlace


def places_of(areas: Iterable[Area]) -> tuple[ForgetPlace, ...]:
    """Return the places that areas declare, in the order they are erased."""
    found = [place for area in areas for place in area.places]
    return tuple(sorted(found, key=lambda place: place.order))


PLACES: Final = places_of(all_areas())
"""Every place."""

(MEMORIES,) = (place for place in PLACES if place.table == "memories")
