"""Check that rows are filed under the keys that their symbols have now, and file them anew."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.edges import DECISION_EDGES
from afterword.pipeline.domain.decisions.triggers import make_due
from afterword.pipeline.domain.decisions.write_rows import file_decisions, misfiled_decisions
from afterword.pipeline.domain.edges.refile import EdgeChange, misfiled_edges, refile_edges
from afterword.pipeline.domain.edges.rows import MEMORY_EDGES
from afterword.pipeline.domain.prices.key_rows import file_series, misfiled_series
from afterword.pipeline.operations.doctor.fix import Tools
from afterword.pipeline.operations.doctor.model import Finding, SoundFile


@dataclass(frozen=True, slots=True)
class OldKeys:
    """Rows filed under a key that an earlier release read from their symbols.

    Args:
        series: their assets, by row id.
        decisions: their keys, by row id.
        of_memories: changes of edges, as `of_decisions`.
    """

    series: dict[int, str]
    decisions: dict[int, str]
    of_memories: list[EdgeChange]
    of_decisions: list[EdgeChange]

    @property
    def by_table(self) -> dict[str, int]:
        """How many rows of each table have an old key themselves, or in their edges; count."""
        decisions = {*self.decisions, *(one.row_id for one in self.of_decisions)}
        counted = {
            "price_series": len(self.series),
            "role_memory": len(decisions),
            "memories": len(self.of_memories),
        }
        return {table: number for table, number in counted.items() if number}


def check_keys(file: SoundFile) -> Iterator[Finding]:
    """Look for rows of one group under old keys; there is no finding if there are none."""
    with reading(file.store) as conn:
        found = _old_keys(conn).by_table
    if found:
        said = (
            f"{found.get('price_series', 0):,} price series, {found.get('role_memory', 0):,} "
            f"decisions and {found.get('memories', 0):,} memories are filed under a key that an "
            "earlier release read from their symbol, and are not found under their asset"
        )
        remedy = "`afterword doctor --fix --apply --only keys`"
        yield Finding(f"memory of {file.name}", "wrong", said, remedy)


def fix_keys(tools: Tools) -> tuple[int, str]:
    """File series, decisions and edges under the keys of now; what waited for prices is due.

    Nothing is merged: two series that are of one asset now both stay, and the finer one is read.
    A judged decision stays as it was judged.
    """
    with reading(tools.store) as conn:
        found = _old_keys(conn)
    if found.by_table and tools.apply:
        with writing(tools.store) as conn:
            file_series(conn, found.series)
            file_decisions(conn, found.decisions)
            now = to_micros(tools.now)
            refile_edges(conn, found.of_memories, now, MEMORY_EDGES)
            refile_edges(conn, found.of_decisions, now, DECISION_EDGES)
            moved = {*found.series.values(), *found.decisions.values()}
            make_due(conn, tools.roles, moved, tools.now)
            for table, rows in found.by_table.items():
                tools.log(conn, "keys", table, rows)
    says = "files series, decisions and edges under the key that their symbol has now"
    return sum(found.by_table.values()), says


def _old_keys(conn: Connection) -> OldKeys:
    decisions = misfiled_decisions(conn)
    return OldKeys(
        misfiled_series(conn),
        decisions,
        misfiled_edges(conn, MEMORY_EDGES),
        misfiled_edges(conn, DECISION_EDGES, decisions),
    )
