"""Mend what can be derived anew, never at the cost of a memory; no model unless it is named."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import Area, DoctorFix, load
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.check import FTS_TABLES, index_problem
from afterword.pipeline.domain.decisions.area import EMBED_ROLE_ENTRIES
from afterword.pipeline.domain.decisions.edges import keep_role_edges, missing_role_edges
from afterword.pipeline.domain.decisions.embed import DECISIONS
from afterword.pipeline.domain.decisions.triggers import begin, ripe_roles
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.replay import missing_edges
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.vectors import rows as vector_rows
from afterword.pipeline.domain.vectors.upkeep import repair_vectors
from afterword.pipeline.errors import CorruptStoreError, InvalidInputError, UnavailableError
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.operations.doctor import memory_rows

MAX_JOBS: Final = 1_000_000
"""Embedding jobs one run adds at most; the next one adds the rest."""


@dataclass(frozen=True, slots=True)
class FixResult:
    """What one action found to do in one group, and whether it did it.

    Args:
        rows: what it adds, removes or makes anew; 0 where all is as it should be.
        says: that in words.
        applied: whether it was done.
        failed: whether the file kept it from being looked at; `says` tells why.
    """

    group: str
    action: str
    rows: int
    says: str
    applied: bool
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Tools:
    """What an action works with.

    Args:
        embedder: whose vectors are wanted; None while embeddings are disabled.
        roles: the roles of all skills.
        apply: whether it may write.
    """

    store: Store
    embedder: Embedder | None
    now: datetime
    roles: RoleRegistry
    apply: bool

    def log(self, conn: Connection, action: str, table: str, rows: int) -> None:
        """Leave an action's line in the audit log, in the transaction of what it did."""
        touched = ChangedRow(0, detail={"rows": rows})
        record(conn, self.now, "owner", f"doctor.fix.{action}", table, [touched])


def fixes_of(areas: Iterable[Area]) -> Mapping[str, DoctorFix]:
    """Return the actions that areas declare by name, in the order they run."""
    found = [one for area in areas for one in area.fixes]
    return {one.name: one for one in sorted(found, key=lambda one: one.order)}


ACTIONS: Final = fixes_of(all_areas())
"""Every action. Those that may lead to a question to a model run only where asked for (R1)."""

FAILURES: Final = (CorruptStoreError, UnavailableError, DBAPIError)
"""What a damaged or unusable file ends in, which is no reason to leave the others alone."""


def fix(
    store: Store,
    embedder: Embedder | None,
    now: datetime,
    *,
    roles: RoleRegistry | None = None,
    only: Sequence[str] = (),
    apply: bool = False,
) -> list[FixResult]:
    """Run the actions over one group; a second run finds nothing to do.

    No action removes a memory, rewrites a reflection, or changes a line of the audit log. Each that
    did something leaves one line there; without `apply` nothing is written at all. One that fails
    hides no other.

    Args:
        only: names of actions; where empty all but those that may lead to a question to a model.

    Raises:
        InvalidInputError: there is no such action.
    """
    for name in only:
        if name not in ACTIONS:
            raise InvalidInputError("only", f"{name!a} is no action", ", ".join(ACTIONS))
    tools = Tools(store, embedder, now, roles or RoleRegistry([]), apply)
    wanted = only or [name for name, one in ACTIONS.items() if not one.may_ask]
    return [_fixed(tools, name) for name in ACTIONS if name in wanted]


def failure(group: str, action: str, error: Exception) -> FixResult:
    """Return what is said of an action that one of `FAILURES` ended."""
    says = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return FixResult(group, action, 0, says, applied=False, failed=True)


def _fixed(tools: Tools, action: str) -> FixResult:
    try:
        rows, says = load(ACTIONS[action].fix)(tools)
    except FAILURES as error:
        return failure(tools.store.name, action, error)
    return FixResult(tools.store.name, action, rows, says, applied=tools.apply and rows > 0)


def fix_vectors(tools: Tools) -> tuple[int, str]:
    """Remove vectors nothing can be compared with: they are a cache."""
    with reading(tools.store) as conn:
        bad = memory_rows.vectors(conn).bad
    if bad and tools.apply:
        with writing(tools.store) as conn:
            repair_vectors(conn)
            tools.log(conn, "vectors", "memory_vectors", bad)
    return bad, "vectors of a wrong length, or of rows that are gone, are removed"


def fix_embeddings(tools: Tools) -> tuple[int, str]:
    """Add jobs for memories without a vector, those that failed among them."""
    if tools.embedder is None:
        return 0, "embeddings are disabled"
    with reading(tools.store) as conn:
        ids, of_roles = _without_job(conn, tools.embedder)
    if (ids or of_roles) and tools.apply:
        with writing(tools.store) as conn:
            ids, of_roles = _without_job(conn, tools.embedder)  # a schedule may have been faster
            add_many(conn, EMBED_MEMORIES, [{"memory_id": row_id} for row_id in ids], tools.now)
            payloads = [{"role_memory_id": row_id} for row_id in of_roles]
            add_many(conn, EMBED_ROLE_ENTRIES, payloads, tools.now)
            tools.log(conn, "embeddings", "jobs", len(ids) + len(of_roles))
    rows = len(ids) + len(of_roles)
    return rows, "memories and decisions that want a vector, or failed to get one, get a job"


def fix_edges(tools: Tools) -> tuple[int, str]:
    """Extract the edges of every memory and decision again, and add those that are not there."""
    missing, of_roles = missing_edges(tools.store), missing_role_edges(tools.store)
    rows = sum(len(edges) for _, edges in (*missing, *of_roles))
    if rows and tools.apply:
        with writing(tools.store) as conn:
            rows = edge_rows.keep(conn, missing, to_micros(tools.now))
            rows += keep_role_edges(conn, of_roles, tools.now)
            tools.log(conn, "edges", "memory_edges", rows)
    return rows, "edges that a text has and the store has not are added"


def fix_fts(tools: Tools) -> tuple[int, str]:
    """Make a word index anew that differs from its table."""
    fresh = Store(tools.store.path, tools.store.options)  # a used connection trusts its cache
    try:
        with reading(fresh) as conn:
            indexes = list(conn.exec_driver_sql(FTS_TABLES).scalars())
        drifted = [index for index in indexes if _has_drifted(fresh, index)]
    finally:
        fresh.close()
    for index in drifted if tools.apply else ():
        with writing(tools.store) as conn:
            conn.exec_driver_sql(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
            tools.log(conn, "fts", index, 1)
    return len(drifted), "word indexes that differ from their rows are made anew"


def fix_reflect_pending(tools: Tools) -> tuple[int, str]:
    """Add the job of every role with decisions to reflect on; it may ask a model."""
    with reading(tools.store) as conn:
        ripe = ripe_roles(conn, tools.roles, tools.now)
    if ripe and tools.apply:
        with writing(tools.store) as conn:
            ripe = ripe_roles(conn, tools.roles, tools.now)
            for role, _ in ripe:
                begin(conn, role, tools.now)
            tools.log(conn, "reflect_pending", "jobs", len(ripe))
    return sum(number for _, number in ripe), "decisions whose time has come get their role's job"


def _has_drifted(fresh: Store, index: str) -> bool:
    # Comparing counts as a write, though it writes nothing: it waits its turn.
    with writing(fresh) as conn:
        return bool(index_problem(conn, index))


def _without_job(conn: Connection, embedder: Embedder) -> tuple[list[int], list[int]]:
    model_id = vector_rows.find_model(conn, embedder)
    ids = vector_rows.without_job(conn, model_id, True, MAX_JOBS)
    return ids, vector_rows.without_job(conn, model_id, True, MAX_JOBS, DECISIONS)
