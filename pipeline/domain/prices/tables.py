"""Columns of the prices area."""

from sqlalchemy import Column, ForeignKey, Integer, Table, Text

from afterword.pipeline.core.store.tables import group_tables

price_series = Table(
    "price_series",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("source", Text, nullable=False),
    Column("symbol", Text, nullable=False),
    Column("asset", Text, nullable=False),
    Column("interval_us", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
)

prices = Table(
    "prices",
    group_tables,
    Column(
        "series_id", Integer, ForeignKey("price_series.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("t_open", Integer, primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("open", Text, nullable=False),
    Column("high", Text, nullable=False),
    Column("low", Text, nullable=False),
    Column("close", Text, nullable=False),
    Column("volume", Text, nullable=False),
    Column("first_known_at", Integer, nullable=False),
    Column("known_at", Integer, nullable=False),
    Column("superseded_at", Integer),
)

price_splits = Table(
    "price_splits",
    group_tables,
    Column("id", Integer, primary_key=True),
    Column("source", Text, nullable=False),
    Column("symbol", Text, nullable=False),
    Column("effective_at", Integer, nullable=False),
    Column("numerator", Integer, nullable=False),
    Column("denominator", Integer, nullable=False),
    Column("known_at", Integer, nullable=False),
    Column("superseded_at", Integer),
)
