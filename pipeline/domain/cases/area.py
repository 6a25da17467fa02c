"""Declares cases and hints: their tables."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaExport,
    AreaPage,
    AreaRoute,
    AreaTable,
    ForgetPlace,
)

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="cases",
    tables=(
        AreaTable("methodology_case_hints", quiet="hash session_id asset_key asset_class"),
        AreaTable(
            "methodology_cases",
            quiet="session_id asset_key asset_class direction hint_hash attribution_model"
            " outcome_state",
        ),
        AreaTable("methodology_citations", quiet="standing outcome_state"),
    ),
    exports=(
        AreaExport("case_hints", "methodology_case_hints", key="hash", order=215),
        AreaExport(
            "cases",
            "methodology_cases",
            key="decision_id",
            order=220,
            links="decision_id=decisions",
        ),
        AreaExport(
            "citations",
            "methodology_citations",
            key="case_id methodology_id",
            order=230,
            links="case_id=cases methodology_id=methodologies",
        ),
    ),
    places=(
        ForgetPlace("methodology_case_hints", order=87, words=("block",), json=("snapshot",)),
        ForgetPlace("methodology_cases", order=88, json=("cited",)),
    ),
    routes=(
        AreaRoute(
            "GET",
            "/v1/trading-cases",
            "afterword.pipeline.doors.http.routes.trading:list_trading_cases",
            "owner observer",
        ),
        AreaRoute(
            "GET",
            "/v1/trading-cases/{case}",
            "afterword.pipeline.doors.http.routes.trading:get_trading_case",
            "owner observer",
        ),
    ),
    pages=(
        AreaPage("/cases", f"{_PAGES}.methods:cases", "Trading cases", "trades", 125),
        AreaPage("/cases/{case}", f"{_PAGES}.methods:case", "Trading case", "", 126, shows="case"),
    ),
)
