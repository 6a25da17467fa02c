"""What sessions declare: what an agent did in one, and how much it may."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaTable, ForgetPlace

_THESE: Final = "rowid IN (SELECT value FROM json_each(:ids))"

AREA: Final = Area(
    name="sessions",
    tables=(
        AreaTable("sessions", quiet="uid handle"),
        AreaTable("turns", quiet="uid outcome"),
    ),
    places=(
        ForgetPlace(
            "turns",
            ("message", "reply"),
            ("tool_calls",),
            f"UPDATE turns SET message = '', reply = NULL, tool_calls = '[]' WHERE {_THESE}",
            order=30,
            does="blanked",
        ),
        ForgetPlace(
            "sessions",
            ("label",),
            (),
            f"UPDATE sessions SET label = NULL WHERE {_THESE}",
            order=50,
            does="blanked",
        ),
    ),
    commands=(
        AreaCommand(
            "session",
            "afterword.pipeline.doors.commands.sessions:app",
            "Begin, end and see the sessions of agents.",
            order=110,
        ),
    ),
    settings=("session_max_stores", "session_max_supersedes", "session_max_deletes"),
)
