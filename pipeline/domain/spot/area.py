"""Declares spot: what wallets did on chains."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaExport, AreaTable, ForgetPlace

AREA: Final = Area(
    name="spot",
    tables=(
        AreaTable(
            "external_spot_activities",
            quiet="chain type from_token amount to_token to_amount gas status value_usd basis"
            " price_token price",
        ),
    ),
    exports=(
        AreaExport(
            "spot_activities",
            "external_spot_activities",
            key="account chain tx_hash leg",
            order=330,
            amounts="amount to_amount gas value_usd price",
            trust="any",
            learned_at="created_at",
        ),
    ),
    places=(
        # The chain's own record of what was traded; forgotten by account or by transaction.
        ForgetPlace(
            "external_spot_activities",
            order=138,
            words=("account", "tx_hash"),
            json=("raw_json",),
            account="account",
            on_request=True,
        ),
    ),
)
