"""Declares what clients of the network door do in a group."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable, ForgetPlace

AREA: Final = Area(
    name="clients",
    tables=(
        AreaTable("client_sessions", quiet="day"),
        AreaTable("client_days", quiet="day"),
        AreaTable("client_answers", quiet="request"),
    ),
    places=(
        # An answer may repeat what was written; its key is chosen by the client.
        ForgetPlace("client_answers", order=49, words=("key",), json=("answer",)),
    ),
    settings=("token_daily_writes",),
)
