"""SQL over `price_classes`: which class of assets somebody says a market has."""

import json
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.prices.rows import LATEST_US
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.market.taxonomy import AssetClass

ToldBy = Literal["owner", "export"]

_AT: Final = """
SELECT asset, asset_class, told_by FROM price_classes
WHERE known_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of)
"""
_END = text("""
UPDATE price_classes SET superseded_at = max(:now, known_at)
WHERE superseded_at IS NULL AND asset IN (SELECT value ->> 0 FROM json_each(:rows))
""")
_ADD = text("""
INSERT INTO price_classes (asset, asset_class, told_by, known_at)
SELECT value ->> 0, value ->> 1, value ->> 2, :now FROM json_each(:rows)
""")


class ClassStatement(NamedTuple):
    """What somebody says of a market."""

    asset_class: AssetClass
    told_by: ToldBy


def statements(conn: Connection, as_of: int | None = None) -> dict[str, ClassStatement]:
    """Return what counts, or did at a moment (microseconds), by key of the market."""
    cursor = driver_cursor(conn)
    cursor.execute(_AT, {"as_of": LATEST_US if as_of is None else as_of})
    return {asset: ClassStatement(said, by) for asset, said, by in cursor.fetchall()}


def classes_at(conn: Connection, as_of: int | None = None) -> StatedClasses:
    """Return the classes that are stated, or were at a moment; microseconds."""
    stated = statements(conn, as_of)
    return StatedClasses({asset: statement.asset_class for asset, statement in stated.items()})


def keep(conn: Connection, stated: Mapping[str, ClassStatement], now: int) -> None:
    """Let statements count from now on (microseconds), in place of earlier ones; by key."""
    values = {
        "rows": json.dumps([(asset, *statement) for asset, statement in sorted(stated.items())]),
        "now": now,
    }
    conn.execute(_END, values)
    conn.execute(_ADD, values)
