"""Changing the tags and the note of a trade."""

from afterword.pipeline.domain.trades.note import remove_note, write_note
from afterword.pipeline.domain.trades.tag import checked_tag, tag_trip, untag_trip
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer
from afterword.pipeline.views.trades.trades import trade_done


def add_tag(by: PageCaller, trade: str, tag: str) -> ActionAnswer:
    """Give a trade a tag."""
    clock = by.parts.clock
    trip = by.write(lambda: tag_trip(by.store(), trade, tag, clock))
    return _done(trip, f"tagged {checked_tag(tag)}")


def take_tag(by: PageCaller, trade: str, tag: str) -> ActionAnswer:
    """Take a tag from a trade."""
    clock = by.parts.clock
    trip = by.write(lambda: untag_trip(by.store(), trade, tag, clock))
    return _done(trip, f"no longer tagged {checked_tag(tag)}")


def save_note(by: PageCaller, trade: str, note: str, replaces: int) -> ActionAnswer:
    """Write the note of a trade, if the one that was shown still stands."""
    trip = by.write_as_owner(lambda writer: write_note(writer, trade, note, replaces))
    return _done(trip, "has this note")


def take_note(by: PageCaller, trade: str, replaces: int) -> ActionAnswer:
    """Take the note of a trade away, if the one that was shown still stands."""
    trip = by.write_as_owner(lambda writer: remove_note(writer, trade, replaces))
    return _done(trip, "has no note any more")


def _done(trip: Trip, done: str) -> ActionAnswer:
    return ActionAnswer(trade_done(trip, done), f"/trades/{trip.trip_uid}")
