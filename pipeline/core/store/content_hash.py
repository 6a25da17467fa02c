"""A digest of a table's content, for tests and audits that prove that nothing changed."""

import hashlib

from sqlalchemy import Connection


def content_hash(conn: Connection, table: str) -> str:
    """Return the SHA-256 of every row of a table, in primary-key order, columns by name.

    Args:
        table: name of an existing table; checked against the schema.

    Raises:
        ValueError: there is no such table.
    """
    columns = conn.exec_driver_sql(
        "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", (table,)
    ).all()
    if not columns:
        raise ValueError(f"no table {table!r}")
    names = ", ".join(f'"{column.name}"' for column in columns)
    keys = [c.name for c in sorted((c for c in columns if c.pk), key=lambda c: c.pk)] or ["rowid"]
    order = ", ".join(f'"{key}"' for key in keys)
    digest = hashlib.sha256(names.encode())
    for row in conn.exec_driver_sql(f'SELECT {names} FROM "{table}" ORDER BY {order}'):
        digest.update(repr(tuple(row)).encode())
    return digest.hexdigest()
