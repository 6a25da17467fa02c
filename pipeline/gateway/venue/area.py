"""Declares the requests to trading venues: their weight."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable

AREA: Final = Area(
    name="venue",
    tables=(AreaTable("venue_requests", quiet="venue"),),
    settings=("hyperliquid_base_url", "hyperliquid_timeout_s", "hyperliquid_minute_weight"),
)
