"""Declares outcomes: what became of decisions, trips and runs, measured once."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable

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
)
