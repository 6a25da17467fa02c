"""Declares round trips: those made of fills, and trades that a venue reports closed."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaExport,
    AreaLineage,
    AreaSection,
    AreaTable,
    ForgetPlace,
)

_LINEAGE: Final = "afterword.pipeline.domain.trips.lineage"

AREA: Final = Area(
    name="trips",
    # Gaps and trips go with their fills, where fills go at all.
    tables=(
        AreaTable("fill_gaps", quiet="sub_account_id symbol expected_position found_position"),
        AreaTable(
            "round_trips",
            quiet="trip_uid digest sub_account_id symbol direction first_fill_uid entry_px exit_px"
            " max_size flags venue kind quote multiplier notional gross venue_gross fees other_fees"
            " net left_over first_notional funding",
        ),
        AreaTable(
            "closed_trades",
            quiet="trade_uid venue symbol kind direction size multiplier quote entry_px exit_px"
            " gross fees funding net net_is_after trade_id trip_uid",
        ),
    ),
    exports=(
        AreaExport(
            "fill_gaps",
            "fill_gaps",
            key="sub_account_id symbol later_fill_id known_at",
            order=305,
            links="earlier_fill_id=fills later_fill_id=fills",
            amounts="expected_position found_position",
            trust="any",
            learned_at="known_at filled_at",
        ),
        AreaExport(
            "closed_trades",
            "closed_trades",
            key="sub_account_id trade_uid",
            order=350,
            links="memory_id=memories",
            amounts="size multiplier entry_px exit_px gross fees funding net",
            trust="any",
            learned_at="known_at",
        ),
        AreaExport(
            "round_trips",
            "round_trips",
            key="trip_uid digest known_at",
            learned_at="known_at superseded_at",
            order=360,
            links="first_fill_id=fills last_fill_id=fills memory_id=memories",
            amounts="entry_px exit_px max_size multiplier notional gross venue_gross fees net"
            " left_over first_notional funding",
            lists="flags other_fees",
            trust="any",
        ),
    ),
    places=(
        ForgetPlace(
            "closed_trades",
            order=131,
            words=("sub_account_id", "label"),
            account="sub_account_id",
            json=("raw_json",),
            on_request=True,
        ),
    ),
    sections=(AreaSection("afterword.pipeline.recall.page.sections:TIMELINE", order=50),),
    lineage=(
        AreaLineage("memory", f"{_LINEAGE}:remembered_trip", order=12),
        AreaLineage("trip", f"{_LINEAGE}:trip_lineage", order=40),
    ),
)
