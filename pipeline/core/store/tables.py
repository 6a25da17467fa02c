"""Where every declared table is collected, and the one table both kinds of file have."""

from sqlalchemy import Column, Integer, MetaData, Table, Text

group_tables = MetaData()
"""Tables of a group's file; each area declares its own in its `tables.py`."""

instance_tables = MetaData()
"""Tables of `instance.sqlite`: what is one per installation."""


def _identity(metadata: MetaData) -> Table:
    return Table(
        "store_identity",
        metadata,
        Column("only", Integer, primary_key=True),
        Column("kind", Text, nullable=False),
        Column("group_name", Text, nullable=False),
        Column("instance_id", Text, nullable=False),
        Column("created_at", Integer, nullable=False),
    )


group_identity = _identity(group_tables)
instance_identity = _identity(instance_tables)
