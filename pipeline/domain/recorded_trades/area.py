"""Declares the trades that an agent records itself."""

from typing import Final

from afterword.pipeline.core.area import (
    ADDS,
    AgentTool,
    Area,
    AreaExport,
    AreaLineage,
    AreaTable,
    ForgetPlace,
    ToolEffect,
)

_TOOLS: Final = "afterword.pipeline.doors.agent.trades"

_LINEAGE: Final = "afterword.pipeline.domain.recorded_trades.lineage"

AREA: Final = Area(
    name="recorded_trades",
    tables=(
        AreaTable(
            "trade_history",
            quiet="uid session_id decision_uid closes_uid side size price fee",
        ),
    ),
    exports=(
        AreaExport(
            "recorded_trades",
            "trade_history",
            key="uid known_at",
            order=340,
            names="decision_uid=decisions",
            amounts="size price fee",
            trust="any",
        ),
    ),
    places=(
        # What an agent wrote, each of the texts as it chose.
        ForgetPlace(
            "trade_history",
            order=88,
            words=(
                *("record_key", "venue", "account", "asset", "asset_key", "fee_token"),
                *("oid", "tid", "cloid"),
            ),
            account="account",
        ),
    ),
    tools=(
        AgentTool("trade_record", f"{_TOOLS}:trade_record", ADDS, order=130),
        AgentTool(
            "trade_outcome",
            f"{_TOOLS}:trade_outcome",
            ToolEffect(writes=True, replaces=True),
            order=140,
        ),
    ),
    lineage=(AreaLineage("trade", f"{_LINEAGE}:trade_lineage", order=50),),
)
