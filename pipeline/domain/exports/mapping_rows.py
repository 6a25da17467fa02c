"""SQL over kept mappings."""

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, text

_CURRENT: Final = "superseded_at IS NULL"
_CURRENT_AT: Final = f"known_at <= :as_of AND ({_CURRENT} OR superseded_at > :as_of)"
_COLUMNS: Final = "name, header, columns, zone, time_unit, decimal_mark, time_format, symbol"
_SELECT: Final = f"SELECT {_COLUMNS}, known_at FROM export_mappings WHERE {{when}} ORDER BY name"
_ADD: Final = text(f"""
INSERT INTO export_mappings ({_COLUMNS}, known_at) VALUES
  (:name, :header, :columns, :zone, :time_unit, :decimal_mark, :time_format, :symbol, :now)
""")
_END: Final = text(f"""
UPDATE export_mappings SET superseded_at = :now
WHERE (name = :name OR header = :header) AND {_CURRENT}
""")


def current(conn: Connection, as_of: int | None) -> list[Row[Any]]:
    """Return the mappings that are current, or were at a moment (microseconds), by name."""
    statement = _SELECT.format(when=_CURRENT if as_of is None else _CURRENT_AT)
    return list(conn.execute(text(statement), {"as_of": as_of}))


def add(conn: Connection, header: Sequence[str], words: dict[str, str | None], now: int) -> None:
    """Add a mapping that is current from now on (microseconds)."""
    conn.execute(_ADD, {"header": header_text(header), "now": now, **words})


def end(conn: Connection, name: str, header: Sequence[str] | None, now: int) -> bool:
    """End the mappings of a name and of a header (microseconds); False if there are none."""
    text_of = None if header is None else header_text(header)
    return conn.execute(_END, {"name": name, "header": text_of, "now": now}).rowcount > 0


def header_text(header: Sequence[str]) -> str:
    """Return a header in its stored form."""
    return json.dumps(list(header), ensure_ascii=False, separators=(",", ":"))
