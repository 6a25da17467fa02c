"""Declares the runs of strategies."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaTable, ForgetPlace

AREA: Final = Area(
    name="strategies",
    tables=(AreaTable("strategy_runs", quiet="status stop_reason"),),
    places=(
        ForgetPlace("strategy_runs", order=134, words=("strategy", "account"), json=("symbols",)),
    ),
    commands=(
        AreaCommand(
            "strategy",
            "afterword.pipeline.doors.commands.strategy:app",
            "Record when strategies run, and what they brought.",
            order=121,
        ),
    ),
)
