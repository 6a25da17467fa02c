"""Where the tables are collected that statements are built of, by the kind of their file."""

from sqlalchemy import MetaData

group_tables = MetaData()
"""Tables of a group's file; rooms that build statements of columns have theirs in `tables.py`."""

instance_tables = MetaData()
"""Tables of `instance.sqlite`: what is one per installation."""
