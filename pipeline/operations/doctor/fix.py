"""Repair derived data and the rights of files. Never removes a memory."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import Area, DoctorFix, DoctorScope, in_order, load
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.core.store.check import FTS_TABLES, index_problem
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.domain.decisions.area import EMBED_ROLE_ENTRIES
from afterword.pipeline.domain.decisions.edges import keep_role_edges, missing_role_edges
from afterword.pipeline.domain.decisions.embed import DECISION_VECTORS
from afterword.pipeline.domain.decisions.triggers import begin, ripe_roles
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.replay import missing_edges
from afterword.pipeline.domain.memory.area import EMBED_MEMORIES
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.domain.vectors import rows as vector_rows
from afterword.pipeline.domain.vectors.upkeep import repair_vectors
from afterword.pipeline.errors import CorruptStoreError, InvalidInputError, UnavailableError
from afterword.pipeline.gateway.embedding.model import Embedder
from afterword.pipeline.operations.doctor import memory_rows
from afterword.pipeline.operations.doctor.model import HomeTools

MAX_JOBS: Final = 1_000_000
"""Most embedding jobs that one run adds (count); the next run adds the rest."""


@dataclass(frozen=True, slots=True)
class FixResult:
    """The result of one action in one group, or in the home.

    Args:
        group: empty for the home.
        rows: rows or files to add, remove, rebuild or change (count); 0 if nothing is to do.
        says: what the action does, in words; if it failed, the error.
        applied: whether it was done.
        failed: whether the file could not be read or written.
    """

    group: str
    action: str
    rows: int
    says: str
    applied: bool
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Tools:
    """The inputs of an action.

    Args:
        embedder: None while embeddings are disabled.
        roles: the roles of all skills.
        apply: whether the action may write.
    """

    store: Store
    embedder: Embedder | None
    now: datetime
    roles: RoleRegistry
    apply: bool

    def log(self, conn: Connection, action: str, table: str, rows: int) -> None:
        """Write a line to the audit log, in the transaction of the action's effect."""
        touched = ChangedRow(0, detail={"rows": rows})
        record(conn, self.now, "owner", f"doctor.fix.{action}", table, [touched])


def fixes_of(areas: Iterable[Area]) -> Mapping[str, DoctorFix]:
    """Return the actions that areas declare by name, in the order they run."""
    return {one.name: one for one in in_order(areas, lambda area: area.fixes)}


ACTIONS: Final = fixes_of(all_areas())
"""Every action. Those that may lead to a question to a model run only where asked for (R1)."""

FAILURES: Final = (CorruptStoreError, UnavailableError, DBAPIError)
"""Errors of a damaged or unusable file; the fix continues with the other files."""


def fix(
    store: Store,
    embedder: Embedder | None,
    now: datetime,
    *,
    roles: RoleRegistry | None = None,
    only: Sequence[str] = (),
    apply: bool = False,
) -> list[FixResult]:
    """Run the actions in one group; a second run finds nothing to do.

    No action removes a memory, rewrites a reflection, or changes a line of the audit log. Each
    action that changes something adds a line to the audit log for each table. Without `apply`
    nothing is written. An action that fails does not stop the others.

    Args:
        only: names of actions; empty for all except those that may cause a model call.

    Raises:
        InvalidInputError: the name of an action is unknown.
    """
    tools = Tools(store, embedder, now, roles or RoleRegistry([]), apply)
    return [_fixed(tools, name) for name in wanted_actions("group", only)]


def fix_groups(
    stores: Stores,
    names: Sequence[str],
    embedder: Embedder | None,
    now: datetime,
    *,
    only: Sequence[str] = (),
    apply: bool = False,
) -> list[FixResult]:
    """Run the actions in groups, one after the other; one that cannot be opened stops no other.

    Args:
        names: of the groups.
        only: as of `fix`.

    Raises:
        InvalidInputError: the name of an action is unknown.
    """
    try:
        roles = load_roles(stores.home)
    except InvalidInputError as error:
        return [_failure("", "skills", error)]
    done: list[FixResult] = []
    for name in names:
        try:
            store = stores.group(name)
            done += fix(store, embedder, now, roles=roles, only=only, apply=apply)
        except FAILURES as error:
            done.append(_failure(name, "open", error))
    return done


def fix_home(home: Path, *, only: Sequence[str] = (), apply: bool = False) -> list[FixResult]:
    """Run the actions about the home itself; a second run finds nothing to do.

    Args:
        only: as of `fix`.

    Raises:
        InvalidInputError: the name of an action is unknown.
    """
    tools = HomeTools(home, apply)
    return [_fixed_home(tools, name) for name in wanted_actions("installation", only)]


def wanted_actions(scope: DoctorScope, only: Sequence[str]) -> list[str]:
    """Return the names of the actions of a scope that are asked for, in the order they run.

    Raises:
        InvalidInputError: the name of an action is unknown.
    """
    for name in only:
        if name not in ACTIONS:
            raise InvalidInputError("only", f"unknown action {name!a}", ", ".join(ACTIONS))
    wanted = only or [name for name, one in ACTIONS.items() if not one.may_ask]
    return [name for name, one in ACTIONS.items() if name in wanted and one.scope == scope]


def _failure(group: str, action: str, error: Exception) -> FixResult:
    """Return the result of an action that ended with an error."""
    says = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return FixResult(group, action, 0, says, applied=False, failed=True)


def _fixed(tools: Tools, action: str) -> FixResult:
    try:
        rows, says = load(ACTIONS[action].fix)(tools)
    except FAILURES as error:
        return _failure(tools.store.name, action, error)
    return FixResult(tools.store.name, action, rows, says, applied=tools.apply and rows > 0)


def _fixed_home(tools: HomeTools, action: str) -> FixResult:
    try:
        with answered(tools.home):
            rows, says = load(ACTIONS[action].fix)(tools)
    except UnavailableError as error:
        return _failure("", action, error)
    return FixResult("", action, rows, says, applied=tools.apply and rows > 0)


def fix_vectors(tools: Tools) -> tuple[int, str]:
    """Remove unusable vectors; they can be computed again."""
    with reading(tools.store) as conn:
        bad = memory_rows.vectors(conn).bad
    if bad and tools.apply:
        with writing(tools.store) as conn:
            repair_vectors(conn)
            tools.log(conn, "vectors", "memory_vectors", bad)
    return bad, "removes vectors of a wrong length and vectors of missing rows"


def fix_embeddings(tools: Tools) -> tuple[int, str]:
    """Add jobs for memories and decisions without a vector, also after a failure."""
    if tools.embedder is None:
        return 0, "embeddings are disabled"
    with reading(tools.store) as conn:
        ids, of_roles = _without_job(conn, tools.embedder)
    if (ids or of_roles) and tools.apply:
        with writing(tools.store) as conn:
            ids, of_roles = _without_job(
                conn, tools.embedder
            )  # read again: the schedule may have added them
            add_many(conn, EMBED_MEMORIES, [{"memory_id": row_id} for row_id in ids], tools.now)
            payloads = [{"role_memory_id": row_id} for row_id in of_roles]
            add_many(conn, EMBED_ROLE_ENTRIES, payloads, tools.now)
            tools.log(conn, "embeddings", "jobs", len(ids) + len(of_roles))
    rows = len(ids) + len(of_roles)
    return rows, "adds jobs for memories and decisions without a vector, also after a failure"


def fix_edges(tools: Tools) -> tuple[int, str]:
    """Extract the edges of every memory and decision again, and add the missing ones."""
    missing, of_roles = missing_edges(tools.store), missing_role_edges(tools.store)
    rows = sum(len(edges) for _, edges in (*missing, *of_roles))
    if rows and tools.apply:
        with writing(tools.store) as conn:
            rows = edge_rows.keep(conn, missing, to_micros(tools.now))
            rows += keep_role_edges(conn, of_roles, tools.now)
            tools.log(conn, "edges", "memory_edges", rows)
    return rows, "adds edges that a text has and the store does not have"


def fix_fts(tools: Tools) -> tuple[int, str]:
    """Rebuild each word index that differs from its table."""
    fresh = Store(tools.store.path, tools.store.options)  # a used connection would read its cache
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
    return len(drifted), "rebuilds word indexes that differ from their rows"


def fix_reflect_pending(tools: Tools) -> tuple[int, str]:
    """Add the job of every role with ripe decisions; the job may ask a model."""
    with reading(tools.store) as conn:
        ripe = ripe_roles(conn, tools.roles, tools.now)
    if ripe and tools.apply:
        with writing(tools.store) as conn:
            ripe = ripe_roles(conn, tools.roles, tools.now)
            for role, _ in ripe:
                begin(conn, role, tools.now)
            tools.log(conn, "reflect_pending", "jobs", len(ripe))
    return sum(
        number for _, number in ripe
    ), "adds the reflection job of each role with ripe decisions"


def _has_drifted(fresh: Store, index: str) -> bool:
    # SQLite treats the comparison as a write, although it writes nothing.
    with writing(fresh) as conn:
        return bool(index_problem(conn, index))


def _without_job(conn: Connection, embedder: Embedder) -> tuple[list[int], list[int]]:
    model_id = vector_rows.find_model(conn, embedder)
    ids = vector_rows.without_job(conn, model_id, True, MAX_JOBS)
    return ids, vector_rows.without_job(conn, model_id, True, MAX_JOBS, DECISION_VECTORS)
