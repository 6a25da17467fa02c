"""Declares the tokens of the network door."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaTable, ForgetPlace

AREA: Final = Area(
    name="access",
    tables=(
        AreaTable("tokens", quiet="digest role group_name"),
        AreaTable("page_sessions", quiet="role link cookie"),
        AreaTable("page_actions", quiet="group_name outcome"),
    ),
    places=(
        ForgetPlace(
            "page_actions",
            order=202,
            words=("words", "action"),
            blank="words = '', action = '-'",
            file="instance",
        ),
        ForgetPlace("tokens", order=201, words=("label",), blank="label = ''", file="instance"),
    ),
    commands=(
        AreaCommand(
            "token",
            "afterword.pipeline.doors.commands.token:app",
            "Issue, list and revoke the tokens of `afterword serve`.",
            order=117,
        ),
    ),
)
