"""Columns of the history area."""

from sqlalchemy import Column, ForeignKey, Integer, Table, Text

from afterword.pipeline.core.store.tables import group_tables

perps_fills = Table(
    "perps_fills",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("sub_account_id", Text, nullable=False),
    Column("wallet_address", Text),
    Column("oid", Text, nullable=False),
    Column("tid", Integer),
    Column("ts_ms", Integer, nullable=False),
    Column("order_in_ms", Integer),
    Column("symbol", Text, nullable=False),
    Column("side", Text, nullable=False),
    Column("dir", Text, nullable=False),
    Column("size", Text, nullable=False),
    Column("price", Text, nullable=False),
    Column("start_position", Text, nullable=False),
    Column("closed_pnl", Text, nullable=False),
    Column("fee", Text, nullable=False),
    Column("fee_token", Text),
    Column("gross_micro_usd", Integer, nullable=False),
    Column("fee_micro_usd", Integer, nullable=False),
    Column("net_micro_usd", Integer, nullable=False),
    Column("raw_json", Text, nullable=False),
    Column("fill_uid", Text, nullable=False),
    Column("created_at", Integer, nullable=False),
)


def _fill(name: str) -> Column[int]:
    key = ForeignKey("perps_fills.id", ondelete="CASCADE")
    return Column(name, Integer, key, nullable=False)


fill_gaps = Table(
    "fill_gaps",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("sub_account_id", Text, nullable=False),
    Column("symbol", Text, nullable=False),
    _fill("earlier_fill_id"),
    _fill("later_fill_id"),
    Column("from_ms", Integer, nullable=False),
    Column("to_ms", Integer, nullable=False),
    Column("expected_position", Text, nullable=False),
    Column("found_position", Text, nullable=False),
    Column("known_at", Integer, nullable=False),
    Column("filled_at", Integer),
)

round_trips = Table(
    "round_trips",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("trip_uid", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("sub_account_id", Text, nullable=False),
    Column("symbol", Text, nullable=False),
    Column("direction", Text, nullable=False),
    _fill("first_fill_id"),
    Column("first_fill_uid", Text, nullable=False),
    _fill("last_fill_id"),
    Column("fills", Integer, nullable=False),
    Column("opened_at", Integer, nullable=False),
    Column("closed_at", Integer, nullable=False),
    Column("entry_px", Text),
    Column("exit_px", Text, nullable=False),
    Column("max_size", Text, nullable=False),
    Column("gross_micro_usd", Integer, nullable=False),
    Column("fee_micro_usd", Integer, nullable=False),
    Column("net_micro_usd", Integer, nullable=False),
    Column("liquidated", Integer, nullable=False),
    Column("flags", Text, nullable=False),
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="SET NULL")),
    Column("known_at", Integer, nullable=False),
    Column("superseded_at", Integer),
)
