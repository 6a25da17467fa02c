"""Which memories hold what, and which of a few other texts; what only SQLite's FTS5 can say."""

import json
from collections.abc import Sequence
from contextlib import closing
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.recall.search.ids import Ids, read_ids
from afterword.pipeline.rules.text.grams import grams

_MADE: Final = "CREATE VIRTUAL TABLE words USING fts5 (said, grams, tokenize = 'porter unicode61')"
"""As `memories_fts` cuts words, so that an expression finds the same in both."""

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


def holders_among(texts: Sequence[str], expressions: Sequence[str]) -> list[Ids]:
    """Return the places, from 0, of the texts that match each expression.

    The index lives in memory for this call; a text of forty words costs some 25 us.

    Args:
        expressions: well-formed, as those of `query.terms`.
    """
    with closing(dbapi.connect(":memory:")) as conn:
        conn.execute(_MADE)
        rows = [(place, said, grams(said)) for place, said in enumerate(texts)]
        conn.executemany("INSERT INTO words (rowid, said, grams) VALUES (?, ?, ?)", rows)
        asked = "SELECT group_concat(rowid) FROM words WHERE words MATCH ?"
        return [read_ids(conn.execute(asked, (one,)).fetchone()[0]) for one in expressions]
