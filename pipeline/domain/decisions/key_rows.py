"""SQL over the keys that decisions are filed under; a better reading of symbols moves some."""

import json
from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.rules.market.symbols import normalise_symbol

_KEYS: Final = text("SELECT DISTINCT asset, asset_key FROM role_memory WHERE asset IS NOT NULL")
_OF_ASSETS: Final = text("""
SELECT role_memory.id, row.value ->> 1
FROM json_each(:rows) AS row JOIN role_memory ON role_memory.asset = row.value ->> 0
WHERE role_memory.asset_key <> row.value ->> 1
ORDER BY role_memory.id
""")
_FILE: Final = text("""
UPDATE role_memory SET asset_key = row.value ->> 1
FROM json_each(:rows) AS row WHERE role_memory.id = row.value ->> 0
""")


def misfiled_decisions(conn: Connection) -> dict[int, str]:
    """Return the decisions whose asset has another key than the stored one, with that key."""
    rows = [
        (asset, normalise_symbol(asset))
        for asset, key in conn.execute(_KEYS)
        if normalise_symbol(asset) != key
    ]
    found = conn.execute(_OF_ASSETS, {"rows": json.dumps(rows, ensure_ascii=False)})
    return {int(row_id): str(key) for row_id, key in found}


def file_decisions(conn: Connection, keys: Mapping[int, str]) -> None:
    """File decisions, by row id, under their keys."""
    conn.execute(_FILE, {"rows": json.dumps(list(keys.items()), ensure_ascii=False)})
