"""Declares transfers: the ledger of a venue beside funding."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaExport, AreaTable, ForgetPlace

AREA: Final = Area(
    name="transfers",
    tables=(AreaTable("transfers", quiet="venue transfer_uid hash usdc fee amount"),),
    exports=(
        AreaExport(
            "transfers",
            "transfers",
            key="sub_account_id venue wallet_address transfer_uid",
            order=320,
            amounts="usdc fee amount",
            trust="any",
            learned_at="known_at",
        ),
    ),
    # Forgotten with the fills of the account.
    places=(
        ForgetPlace(
            "transfers",
            order=136,
            words=("sub_account_id", "wallet_address", "other_party", "kind", "token"),
            json=("raw_json",),
            on_request=True,
        ),
    ),
)
