"""Average tokens of the past calls of a task."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from sqlalchemy import Connection, text

NEWEST: Final = 5_000
"""Newest calls that an average covers; older ones may have used other prompts; count."""

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
    """The average of the newest calls of a task, rounded up.

    Args:
        calls: number of calls.
        reserved_micro_usd: reservation of one call; None if no reservation row is left.
    """

    calls: int
    input_tokens: int
    output_tokens: int
    reserved_micro_usd: int | None


def measured(conn: Connection, model: str, tasks: Sequence[str]) -> dict[str, CallAverage]:
    """Return by task the average of its newest calls to a model; tasks without calls are absent."""
    values = {"model": model, "tasks": json.dumps(tasks), "newest": NEWEST}
    return {
        task: CallAverage(calls, ceil(read), ceil(written), None if held is None else ceil(held))
        for task, calls, read, written, held in conn.execute(_MEASURED, values)
    }
