"""SQL over what the value of an account follows from."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.fills.rows import FILL_COLUMNS, fill_of
from afterword.pipeline.domain.reconciliation.model import PositionGap

_GAP: Final = Codec(
    PositionGap,
    names={"expected": "expected_position", "found": "found_position"},
    amounts=("expected", "found"),
)
_FILLS = text(f"""
SELECT {FILL_COLUMNS} FROM perps_fills AS f
WHERE f.sub_account_id = :account AND f.venue = :venue
  AND (:at IS NULL OR f.created_at <= :at)
ORDER BY f.ts_ms, f.order_in_ms, f.id
""")
_GAPS = text(f"""
SELECT {_GAP.columns} FROM fill_gaps
WHERE sub_account_id = :account AND (:at IS NULL OR known_at <= :at)
  AND (filled_at IS NULL OR filled_at > :at)
ORDER BY from_ms, symbol
""")


def fills(conn: Connection, account: str, venue: str, at: int | None) -> list[Fill]:
    """Return the fills of an account in their order, as known at a moment (microseconds)."""
    values = {"account": account, "venue": venue, "at": at}
    return [fill_of(row) for row in conn.execute(_FILLS, values)]


def gaps(conn: Connection, account: str, at: int | None) -> list[PositionGap]:
    """Return where fills of an account do not meet, as known at a moment (microseconds)."""
    return [_GAP.read(row) for row in conn.execute(_GAPS, {"account": account, "at": at})]
