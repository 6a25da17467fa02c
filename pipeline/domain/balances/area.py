"""Declares the values of accounts."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable, ForgetPlace

AREA: Final = Area(
    name="balances",
    tables=(
        AreaTable("account_values", quiet="venue perps unrealised spot_usdc positions tokens"),
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
