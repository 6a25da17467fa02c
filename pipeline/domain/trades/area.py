"""Declares trades: tags of trips, and what the trades of an account showed."""

from typing import Final

from afterword.pipeline.core.area import (
    READS,
    AgentTool,
    Area,
    AreaAction,
    AreaExport,
    AreaPage,
    AreaRoute,
    AreaTable,
    ForgetPlace,
)

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="trades",
    tables=(
        AreaTable("trip_tags", quiet="trip_uid symbol direction origin"),
        AreaTable("trip_notes", quiet="trip_uid symbol direction families"),
        AreaTable("trade_verdicts", quiet="book"),
    ),
    exports=(
        AreaExport("trip_tags", "trip_tags", key="trip_uid tag known_at", order=370, trust="any"),
        # Whoever writes a note speaks for the owner.
        AreaExport("trip_notes", "trip_notes", key="trip_uid known_at", order=375, trust="known"),
    ),
    places=(
        ForgetPlace(
            "trip_tags", order=86, words=("tag", "sub_account_id"), account="sub_account_id"
        ),
        ForgetPlace(
            "trip_notes", order=89, words=("note", "sub_account_id"), account="sub_account_id"
        ),
        # One on all accounts may name one that differs from the others.
        ForgetPlace(
            "trade_verdicts",
            order=87,
            words=("sub_account_id",),
            json=("named",),
            account="coalesce(nullif(sub_account_id, ''), (SELECT cell.value ->> 'value'"
            " FROM json_each(named) AS cell WHERE cell.value ->> 'attribute' = 'account'))",
        ),
    ),
    tools=(
        AgentTool(
            "trading_profile",
            "afterword.pipeline.doors.agent.trades:trading_profile",
            READS,
            order=155,
        ),
    ),
    routes=(
        AreaRoute(
            "GET",
            "/v1/trades",
            "afterword.pipeline.doors.http.routes.trading:list_trades",
            "agent owner observer",
        ),
        AreaRoute(
            "GET",
            "/v1/trades/{trade}",
            "afterword.pipeline.doors.http.routes.trading:get_trade",
            "agent owner observer",
        ),
    ),
    pages=(
        AreaPage("/overview", f"{_PAGES}.overview:overview", "Overview", "trades", 100),
        AreaPage("/trades", f"{_PAGES}.trades:trades", "Trades", "trades", 105, shows="trades"),
        AreaPage("/trades/{trade}", f"{_PAGES}.trade:trade", "Trade", "", 106, shows="trade"),
    ),
    actions=(
        AreaAction("/trades/{trade}/tag", f"{_PAGES}.edits:add_tag"),
        AreaAction("/trades/{trade}/untag", f"{_PAGES}.edits:take_tag"),
        AreaAction("/trades/{trade}/note", f"{_PAGES}.edits:save_note"),
        AreaAction("/trades/{trade}/unnote", f"{_PAGES}.edits:take_note"),
    ),
)
