"""Declares cases and hints: their tables."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable, ForgetPlace

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
    places=(
        ForgetPlace("methodology_case_hints", order=87, words=("block",), json=("snapshot",)),
        ForgetPlace("methodology_cases", order=88, json=("cited",)),
    ),
)
