"""Declares the values of accounts."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaExport,
    AreaTable,
    ForgetPlace,
)

AREA: Final = Area(
    name="balances",
    tables=(
        AreaTable("account_values", quiet="venue perps unrealised spot_usdc positions tokens"),
    ),
    exports=(
        AreaExport(
            "account_values",
            "account_values",
            key="sub_account_id venue wallet_address ts_ms",
            order=325,
            amounts="perps unrealised spot_usdc",
            trust="known",
            learned_at="known_at covered_at",
        ),
    ),
    # Forgotten with the fills of the account.
    places=(
        ForgetPlace(
            "account_values",
            order=137,
            words=("sub_account_id", "wallet_address"),
            on_request=True,
        ),
    ),
)
