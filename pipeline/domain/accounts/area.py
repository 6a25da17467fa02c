"""Declares the accounts at venues."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable, ForgetPlace

AREA: Final = Area(
    name="accounts",
    tables=(AreaTable("accounts", quiet="venue kind role"),),
    # Which accounts somebody has is forgotten with their fills.
    places=(
        ForgetPlace("accounts", order=133, words=("name", "address", "master"), on_request=True),
    ),
)
