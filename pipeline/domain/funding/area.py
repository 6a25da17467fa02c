"""Declares funding: the payments of a venue."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaExport, AreaTable, ForgetPlace

AREA: Final = Area(
    name="funding",
    tables=(AreaTable("funding_payments", quiet="venue symbol amount position rate"),),
    exports=(
        AreaExport(
            "funding_payments",
            "funding_payments",
            key="sub_account_id venue symbol ts_ms",
            order=310,
            amounts="amount position rate",
            trust="any",
            learned_at="known_at",
        ),
    ),
    # Forgotten with the fills of the account.
    places=(
        ForgetPlace(
            "funding_payments",
            order=134,
            words=("sub_account_id", "wallet_address"),
            on_request=True,
        ),
    ),
)
