"""SQL that finds the stored texts which are most alike to a new one: the one TF-IDF search."""

import json
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.methodologies.similarity import split_query


class TermIndex:
    """A table with the weight of each word of stored texts.

    Args:
        table: it has the columns `term` and `weight`.
        owner: its column with the id of the text.
        group: SQL that is true for the rows that are compared; `t` is the table.
    """

    def __init__(self, table: str, owner: str, group: str) -> None:
        self._frequencies: Final = f"""
SELECT given.value, (SELECT count(*) FROM {table} AS t WHERE {group} AND t.term = given.value)
FROM json_each(:terms) AS given
"""
        # The rarer terms of all texts add up first; the others are looked up where that is enough.
        self._alike: Final = f"""
WITH near (id, part) AS MATERIALIZED (
  SELECT t.{owner}, sum((given.value ->> 1) * t.weight) AS part
  FROM json_each(:kept) AS given CROSS JOIN {table} AS t
  WHERE {group} AND t.term = given.value ->> 0
  GROUP BY t.{owner} HAVING part >= :least_part),
whole (id, cosine) AS (
  SELECT near.id, near.part + coalesce((SELECT sum((given.value ->> 1) * t.weight)
    FROM json_each(:left) AS given CROSS JOIN {table} AS t
    WHERE {group} AND t.term = given.value ->> 0 AND t.{owner} = near.id), 0.0)
  FROM near)
SELECT id, cosine FROM whole WHERE cosine >= :least ORDER BY cosine DESC, id LIMIT :most
"""

    def alike(
        self,
        conn: Connection,
        group: Mapping[str, Any],
        query: Mapping[int, float],
        least: float,
        most: int,
    ) -> list[tuple[int, float]]:
        """Return the ids of the most alike texts of a group, with their cosine.

        Args:
            group: the values of the group's SQL.
            query: the weights of the new text.
            least: the smallest cosine.
        """
        cursor = driver_cursor(conn)
        cursor.execute(self._frequencies, {**group, "terms": json.dumps(list(query))})
        parts = split_query(query, dict(cursor.fetchall()), least)
        values = {
            **group,
            "kept": json.dumps(list(parts.kept.items())),
            "left": json.dumps(list(parts.left.items())),
            "least_part": parts.least,
            "least": least,
            "most": most,
        }
        cursor.execute(self._alike, values)
        return [(row_id, cosine) for row_id, cosine in cursor.fetchall()]
