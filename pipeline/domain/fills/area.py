"""Declares fills: what accounts executed, as their venues report it."""

from typing import Final

from afterword.pipeline.core.area import READS, AgentTool, Area, AreaExport, AreaTable, ForgetPlace

AREA: Final = Area(
    name="fills",
    tables=(
        AreaTable(
            "perps_fills",
            quiet="oid symbol side dir size price start_position closed_pnl fee fee_token fill_uid"
            " tid venue kind base quote multiplier effect position_side"
            " layout",
        ),
    ),
    exports=(
        AreaExport(
            "fills",
            "perps_fills",
            key="sub_account_id fill_uid",
            order=300,
            amounts="size price start_position? closed_pnl? fee multiplier",
            trust="any",
            learned_at="created_at",
        ),
    ),
    places=(
        # The venue's own record of what was traded.
        ForgetPlace(
            "perps_fills",
            order=130,
            words=("sub_account_id", "wallet_address", "cloid"),
            json=("raw_json", "liquidation"),
            on_request=True,
        ),
    ),
    tools=(
        AgentTool(
            "search_user_trades",
            "afterword.pipeline.doors.agent.trades:search_user_trades",
            READS,
            order=150,
        ),
    ),
)
