"""Declares spot: what wallets did on chains."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable, ForgetPlace

AREA: Final = Area(
    name="spot",
    tables=(
        AreaTable(
            "external_spot_activities",
            quiet="chain type from_token amount to_token to_amount gas status value_usd basis"
            " price_token price",
        ),
    ),
    places=(
        # The chain's own record of what was traded; forgotten by account or by transaction.
        ForgetPlace(
            "external_spot_activities",
            order=138,
            words=("account", "tx_hash"),
            json=("raw_json",),
            on_request=True,
        ),
    ),
)
