"""Declares outcomes: what became of decisions, trips and runs, measured once."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaExport, AreaTable

AREA: Final = Area(
    name="outcomes",
    tables=(
        # Ids, closed vocabularies, names of markets and numbers.
        AreaTable(
            "outcomes",
            quiet="subject_kind asset_key asset_class direction verdict window_verdict source"
            " symbol entry_price exit_price trend volatility market_symbol plan",
        ),
    ),
    exports=(
        AreaExport(
            "outcomes",
            "outcomes",
            key="subject_kind subject_id window_hours rule_version",
            order=120,
            links="subject_id=decisions",
            where="subject_kind = 'decision'",
            trust="signed",
        ),
    ),
)
