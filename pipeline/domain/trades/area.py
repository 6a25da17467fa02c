"""Declares trades: tags of trips, and what the trades of an account showed."""

from typing import Final

from afterword.pipeline.core.area import READS, AgentTool, Area, AreaTable, ForgetPlace

AREA: Final = Area(
    name="trades",
    tables=(
        AreaTable("trip_tags", quiet="trip_uid symbol direction origin"),
        AreaTable("trade_verdicts", quiet="book"),
    ),
    places=(
        ForgetPlace("trip_tags", order=86, words=("tag", "sub_account_id")),
        ForgetPlace("trade_verdicts", order=87, words=("sub_account_id",), json=("named",)),
    ),
    tools=(
        AgentTool(
            "trading_profile",
            "afterword.pipeline.doors.agent.trades:trading_profile",
            READS,
            order=155,
        ),
    ),
)
