"""Declares trade history: fills, and the round trips made of them."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaSection, AreaTable, ForgetPlace

AREA: Final = Area(
    name="history",
    # The other tables go with their fills, where fills go at all.
    tables=(
        AreaTable(
            "perps_fills",
            quiet="oid symbol side dir size price start_position closed_pnl fee fee_token fill_uid",
        ),
        AreaTable("fill_gaps", quiet="sub_account_id symbol expected_position found_position"),
        AreaTable(
            "round_trips",
            quiet="trip_uid digest sub_account_id symbol direction first_fill_uid entry_px exit_px"
            " max_size flags",
        ),
    ),
    # The venue's own record of what was traded.
    places=(
        ForgetPlace(
            "perps_fills",
            order=130,
            words=("sub_account_id", "wallet_address"),
            json=("raw_json",),
            on_request=True,
        ),
    ),
    sections=(AreaSection("afterword.pipeline.recall.page.sections:TIMELINE", order=50),),
    commands=(
        AreaCommand(
            "history",
            "afterword.pipeline.doors.commands.history:app",
            "Import trades.",
            order=120,
        ),
    ),
)
