"""Declares the way to exchanges that need a key."""

from typing import Final

from afterword.pipeline.core.area import Area

AREA: Final = Area(
    name="exchanges",
    settings=("exchange_keys", "exchange_base_url", "exchange_timeout_s"),
)
