"""SQL over the assets that series are filed under; a better reading of symbols moves some."""

import json
from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.domain.prices.feed import asset_of

_ASSETS: Final = text("SELECT id, symbol, asset FROM price_series ORDER BY id")
_FILE: Final = text("""
UPDATE price_series SET asset = row.value ->> 1
FROM json_each(:rows) AS row WHERE price_series.id = row.value ->> 0
""")


def misfiled_series(conn: Connection) -> dict[int, str]:
    """Return the series whose symbol means another asset than the stored one, with that asset."""
    return {
        row_id: asset_of(symbol)
        for row_id, symbol, asset in conn.execute(_ASSETS)
        if asset_of(symbol) != asset
    }


def file_series(conn: Connection, assets: Mapping[int, str]) -> None:
    """File series, by row id, under their assets."""
    conn.execute(_FILE, {"rows": json.dumps(list(assets.items()))})
