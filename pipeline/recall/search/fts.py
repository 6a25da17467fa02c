"""Full-text matching with SQLite's FTS5: which memories, or which of a few texts, match."""

import json
import threading
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.recall.search.ids import Ids, read_ids
from afterword.pipeline.rules.text.grams import grams

_CREATE: Final = """
CREATE VIRTUAL TABLE words USING fts5
  (content, grams, tokenize = 'porter unicode61', content = '', columnsize = 0)
"""
"""Tokenised like `memories_fts`, so that an expression finds the same in both; it keeps no text."""

_STEMS: Final = """
CREATE VIRTUAL TABLE stems USING fts5vocab(words, instance)
"""

_MATCHING = text("""
SELECT (SELECT group_concat(rowid) FROM memories_fts WHERE memories_fts MATCH expression.value)
FROM json_each(:expressions) AS expression ORDER BY expression.key
""")


def matching(conn: Connection, expressions: Sequence[str]) -> list[Ids]:
    """Return, per expression, the ids of the memories that match it, hidden ones too.

    Raises:
        sqlalchemy.exc.OperationalError: an expression is malformed.
    """
    rows = conn.execute(_MATCHING, {"expressions": json.dumps(expressions, ensure_ascii=False)})
    return [read_ids(joined) for (joined,) in rows]


class _Index(threading.local):
    """An index in memory for each thread: to create one takes longer than to use it."""

    def __init__(self) -> None:
        self.conn = dbapi.connect(":memory:", isolation_level=None)
        self.conn.execute(_CREATE)
        self.conn.execute(_STEMS)


_INDEX: Final = _Index()


def matching_texts(texts: Sequence[str], expressions: Sequence[str]) -> list[Ids]:
    """Return, per expression, the positions, from 0, of the texts that match it.

    The texts are in an index in memory for this call only; one of forty words costs some 5 us.

    Args:
        expressions: well-formed, as those of `query.terms`.
    """
    conn = _INDEX.conn
    conn.execute("BEGIN")
    try:
        rows = [(at, content, grams(content)) for at, content in enumerate(texts)]
        conn.executemany("INSERT INTO words (rowid, content, grams) VALUES (?, ?, ?)", rows)
        query = "SELECT group_concat(rowid) FROM words WHERE words MATCH ?"
        return [
            read_ids(conn.execute(query, (expression,)).fetchone()[0]) for expression in expressions
        ]
    finally:
        conn.execute("ROLLBACK")


def stems(words: Sequence[str]) -> list[str]:
    """Return each word as the index keeps it: in lower case, without its ending.

    Args:
        words: each of letters only.
    """
    conn = _INDEX.conn
    conn.execute("BEGIN")
    try:
        rows = enumerate(words, 1)
        conn.executemany("INSERT INTO words (rowid, content, grams) VALUES (?, ?, '')", rows)
        return [stem for (stem,) in conn.execute("SELECT term FROM stems ORDER BY doc")]
    finally:
        conn.execute("ROLLBACK")
