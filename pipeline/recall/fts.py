"""Which memories hold what; what only SQLite's FTS5 can say."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, text

from pipeline.recall.ids import Ids, read_ids

_HOLDERS = text("""
SELECT (SELECT group_concat(rowid) FROM memories_fts WHERE memories_fts MATCH expression.value)
FROM json_each(:expressions) AS expression ORDER BY expression.key
""")


def holders(conn: Connection, expressions: Sequence[str]) -> list[Ids]:
    """Return the ids of the memories that match each expression, the ones that are gone too.

    Raises:
        sqlalchemy.exc.OperationalError: an expression is malformed.
    """
    found = conn.execute(_HOLDERS, {"expressions": json.dumps(expressions, ensure_ascii=False)})
    return [read_ids(joined) for (joined,) in found]
