"""Declares the runs of strategies."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaExport, AreaTable, ForgetPlace

AREA: Final = Area(
    name="strategies",
    tables=(AreaTable("strategy_runs", quiet="status stop_reason"),),
    exports=(
        AreaExport(
            "strategy_runs",
            "strategy_runs",
            key="strategy started_at",
            order=380,
            lists="symbols",
            trust="any",
        ),
    ),
    places=(
        ForgetPlace(
            "strategy_runs",
            order=134,
            words=("strategy", "account"),
            json=("symbols",),
            account="account",
        ),
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
