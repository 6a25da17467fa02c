"""Declares trade history: fills, and the round trips made of them."""

from typing import Final

from afterword.pipeline.core.area import (
    ADDS,
    READS,
    AgentTool,
    Area,
    AreaCommand,
    AreaSection,
    AreaTable,
    ForgetPlace,
    ToolEffect,
)

_TOOLS: Final = "afterword.pipeline.doors.agent.trades"

AREA: Final = Area(
    name="history",
    # The other tables go with their fills, where fills go at all.
    tables=(
        AreaTable(
            "perps_fills",
            quiet="oid symbol side dir size price start_position closed_pnl fee fee_token fill_uid"
            " tid venue kind base quote multiplier effect position_side"
            " layout",
        ),
        AreaTable("fill_gaps", quiet="sub_account_id symbol expected_position found_position"),
        AreaTable(
            "round_trips",
            quiet="trip_uid digest sub_account_id symbol direction first_fill_uid entry_px exit_px"
            " max_size flags venue kind quote multiplier notional gross venue_gross fees other_fees"
            " net left_over first_notional",
        ),
        AreaTable("history_files", quiet="digest layout first_equal last_equal set_aside"),
        AreaTable(
            "closed_trades",
            quiet="trade_uid venue symbol kind direction size multiplier quote entry_px exit_px"
            " gross fees funding net net_is_after trade_id trip_uid",
        ),
        AreaTable(
            "trade_history",
            quiet="uid session_id decision_uid closes_uid side size price fee",
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
        ),
        # The venue's own record of what was traded.
        ForgetPlace(
            "perps_fills",
            order=130,
            words=("sub_account_id", "wallet_address", "cloid"),
            json=("raw_json", "liquidation"),
            on_request=True,
        ),
        ForgetPlace("history_files", order=132, words=("sub_account_id", "name"), on_request=True),
        ForgetPlace(
            "closed_trades",
            order=131,
            words=("sub_account_id", "label"),
            json=("raw_json",),
            on_request=True,
        ),
    ),
    sections=(AreaSection("afterword.pipeline.recall.page.sections:TIMELINE", order=50),),
    commands=(
        AreaCommand(
            "history",
            "afterword.pipeline.doors.commands.history.app:app",
            "Import trades.",
            order=120,
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
        AgentTool("search_user_trades", f"{_TOOLS}:search_user_trades", READS, order=150),
    ),
)
