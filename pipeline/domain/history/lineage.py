"""A fill, and the file and line that it was imported from."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros, from_millis
from afterword.pipeline.domain.fills import read
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.rules.market.decimals import plain

# A fill belongs to the first file of its layout that was complete once it was stored.
_FILES: Final = text("""
SELECT h.id, f.file_line FROM perps_fills AS f
JOIN history_files AS h ON h.sub_account_id = f.sub_account_id AND h.layout = f.layout
  AND f.ts_ms BETWEEN h.first_ms AND h.last_ms
WHERE f.sub_account_id = :account AND f.fill_uid = :uid
ORDER BY h.created_at < f.created_at, h.created_at, h.id LIMIT 1
""")
_FILE: Final = text("SELECT name, layout, fills, created_at FROM history_files WHERE id = :key")


def fill_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a fill, and the file that brought it; see `ReadLineageStep`."""
    del at
    fills = read.by_id(conn, key) if isinstance(key, int) else read.by_uid(conn, key)
    if not fills:
        return None
    causes = [cause for fill in fills if (cause := _file_of(conn, fill)) is not None]
    says = "; ".join(map(_described, fills))
    return LineageStep(f"fill {fills[0].uid}", says, from_millis(fills[0].time_ms), causes)


def _described(fill: Fill) -> str:
    did = "bought" if fill.side == "B" else "sold"
    return (
        f"{did} {plain(fill.sz)} {fill.symbol} at {plain(fill.px)} {fill.quote} on {fill.venue}, "
        f"account {fill.account}"
    )


def _file_of(conn: Connection, fill: Fill) -> Cause | None:
    values = {"account": fill.account, "uid": fill.uid}
    row = conn.execute(_FILES, values).one_or_none()
    if row is None:
        return None
    file_id, line = row
    return Cause(f"line {line} of" if line else "from", "file", str(file_id), at=0)


def file_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return an imported file, or a mirror; it has no name of its own, so fills lead to it."""
    row = None if at is None else conn.execute(_FILE, {"key": int(key)}).one_or_none()
    if row is None:
        return None
    says = f"{row.name}, layout {row.layout}, {row.fills} fills"
    return LineageStep(f"file {key}", says, from_micros(row.created_at))
