"""The zone that moments of trips are told in."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

NOON: Final = timedelta(hours=12)


def local_time(moment: datetime, zone: tzinfo, *, is_day: bool) -> datetime:
    """Return a moment of a trip as its reader tells it.

    Args:
        is_day: whether the day is all that is known. The moment is then a midnight of some zone,
            whose noon is that day in UTC; the zone of the reader does not move it.
    """
    return moment.astimezone(UTC) + NOON if is_day else moment.astimezone(zone)
