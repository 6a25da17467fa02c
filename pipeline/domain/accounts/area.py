"""Declares the accounts at venues."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaTable, ForgetPlace, Kind

SYNC_HISTORY: Final = Kind("sync_history", deadline_s=600.0)
"""Payload: `{}`, or `{"trade": true}` where a recorded trade asks for it. Each run mirrors every
account whose turn it is."""

AREA: Final = Area(
    name="accounts",
    tables=(AreaTable("accounts", quiet="venue kind role"),),
    # Which accounts somebody has is forgotten with their fills.
    places=(
        ForgetPlace("accounts", order=133, words=("name", "address", "master"), on_request=True),
    ),
    commands=(
        AreaCommand(
            "account",
            "afterword.pipeline.doors.commands.account:app",
            "Name the accounts at venues that are yours.",
            order=118,
        ),
    ),
)
