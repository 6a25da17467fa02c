"""Declares methodologies: their tables, commands, tools and settings."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable, ForgetPlace

AREA: Final = Area(
    name="methodologies",
    tables=(
        AreaTable(
            "methodologies",
            quiet="uid session_id origin source seeded_from asset_class direction primary_signal"
            " timeframe dedup_key",
        ),
        AreaTable("methodology_terms", quiet="asset_class direction timeframe"),
        AreaTable("methodology_sightings", quiet="digest session_id origin recognised_by"),
        AreaTable("methodology_lifecycle_events", quiet="kind gate numbers said_by"),
    ),
    places=(
        ForgetPlace(
            "methodologies",
            order=92,
            words=("record_key", "name", "methodology", "evidence"),
            json=("phases", "indicators", "injection"),
        ),
        ForgetPlace("methodology_sightings", order=91, words=("record_key",), quotes=True),
        ForgetPlace("methodology_lifecycle_events", order=91, words=("reason_text",), quotes=True),
    ),
    settings=("learning_enabled",),
)
