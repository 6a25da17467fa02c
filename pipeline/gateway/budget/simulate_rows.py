"""What past calls of a task really took."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from sqlalchemy import Connection, text

NEWEST: Final = 5_000
"""Calls an average is of, at most: what was asked long ago was asked otherwise."""

_MEASURED = text("""
SELECT task, count(*), avg(input_tokens), avg(output_tokens), avg(estimate_micro_usd)
FROM (
  SELECT used.task, used.input_tokens, used.output_tokens, held.estimate_micro_usd
  FROM llm_usage AS used LEFT JOIN budget_reservations AS held ON held.uid = used.reservation_uid
  WHERE used.basis = 'measured' AND used.model = :model
    AND used.task IN (SELECT value FROM json_each(:tasks))
  ORDER BY used.id DESC LIMIT :newest)
GROUP BY task
""")


@dataclass(frozen=True, slots=True)
class CallAverage:
    """The average of a task's last calls, rounded up.

    Args:
        calls: how many they were.
        held_micro_usd: what was held for one; None where nobody knows any more.
    """

    calls: int
    input_tokens: int
    output_tokens: int
    held_micro_usd: int | None


def measured(conn: Connection, model: str, tasks: Sequence[str]) -> dict[str, CallAverage]:
    """Return by task what its last calls to a model took; a task never asked is left out."""
    values = {"model": model, "tasks": json.dumps(tasks), "newest": NEWEST}
    return {
        task: CallAverage(calls, ceil(read), ceil(written), None if held is None else ceil(held))
        for task, calls, read, written, held in conn.execute(_MEASURED, values)
    }
