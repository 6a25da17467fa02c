"""Whether what is remembered, and all that is derived from it, belongs together."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions.embed import DECISIONS
from afterword.pipeline.domain.edges.read import top_entities
from afterword.pipeline.domain.memory.purge import Retention, expired
from afterword.pipeline.domain.vectors.rows import MEMORIES
from afterword.pipeline.operations.doctor import memory_rows
from afterword.pipeline.operations.doctor.memory_rows import VectorCounts
from afterword.pipeline.operations.doctor.model import Finding
from afterword.pipeline.operations.doctor.roles import examine_roles
from afterword.pipeline.operations.forget.rows import unproved

TOP: Final = 5
"""Entities named beside the number of edges."""

_MEND: Final = "`afterword doctor --fix --apply --only {name}`"


def examine_memory(
    store: Store, subject: str, now: datetime, retention: Retention
) -> Iterator[Finding]:
    """Look at one group's memories and at everything that is derived from them.

    Args:
        subject: what findings call them.
    """
    with reading(store) as conn:
        standing = memory_rows.standing(conn)
        states = memory_rows.embedding_states(conn)
        dead = {
            of.kind.name: (memory_rows.dead_embeddings(conn, of), plural)
            for of, plural in ((MEMORIES, "memories"), (DECISIONS, "decisions"))
        }
        facts = memory_rows.fact_states(conn)
        edges = memory_rows.edges(conn)
        vectors = memory_rows.vectors(conn)
        unmatched = memory_rows.unmatched_absences(conn)
        owed = len(unproved(conn))
        roles = list(examine_roles(conn, subject, now))
    said = f"{standing.alive:,} stand, {standing.deleted:,} deleted, "
    said += f"{standing.superseded:,} superseded, {standing.stale:,} stale"
    yield Finding(subject, "fine", said)
    yield _embeddings(subject, states)
    yield from _dead_embeddings(subject, dead)
    yield _edges(subject, edges, store)
    yield from examine_vectors(subject, vectors)
    if facts:
        yield Finding(subject, "fine", f"facts: {_listed(facts)}")
    yield from roles
    over = expired(store, now, retention).rows
    if over:
        said = f"{over:,} rows are past their retention; the daily purge removes them"
        yield Finding(subject, "note", said)
    if unmatched:
        said = f"{unmatched:,} deletions and absences disagree: reads of the past are wrong there"
        yield Finding(subject, "wrong", said, "restore these memories and delete them again")
    if owed:
        said = f"{owed:,} erasures are not proved"
        yield Finding(subject, "wrong", said, "run the same `afterword forget --apply` again")


def examine_vectors(subject: str, vectors: VectorCounts) -> Iterator[Finding]:
    """Look at what there is of vectors."""
    if vectors.bad:
        said = (
            "there is no table of vectors"
            if vectors.missing
            else f"vectors: {vectors.orphaned:,} of rows that are gone, "
            f"{vectors.misshapen:,} of a wrong length"
        )
        yield Finding(subject, "wrong", said, f"{_MEND.format(name='vectors,embeddings')}")
    elif vectors.vectors:
        said = f"vectors: {vectors.vectors:,} of {vectors.models} models"
        yield Finding(subject, "note" if vectors.models > 1 else "fine", said)


def _embeddings(subject: str, states: Mapping[str, int]) -> Finding:
    said = f"embeddings: {_listed(states) or 'none'}"
    if states.get("failed"):
        return Finding(subject, "note", said, f"{_MEND.format(name='embeddings')} tries again")
    return Finding(subject, "fine", said)


def _dead_embeddings(subject: str, dead: Mapping[str, tuple[int, str]]) -> Iterator[Finding]:
    for kind, (rows, plural) in dead.items():
        if rows:
            said = f"{rows:,} {plural} have a dead embedding job, and get no vector until a redrive"
            remedy = f"`afterword jobs dead --kind {kind}` says why; then "
            yield Finding(subject, "wrong", said, f"{remedy}`afterword jobs redrive --kind {kind}`")


def _edges(subject: str, edges: Mapping[str, int], store: Store) -> Finding:
    said = f"{sum(edges.values()):,} edges"
    if edges:
        said += f": {_listed(edges)}"
    named = top_entities(store, TOP)
    if named:
        said += "; most about " + ", ".join(f"{one.key} {one.edges:,}" for one in named)
    return Finding(subject, "fine", said, private=tuple(one.key for one in named))


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
