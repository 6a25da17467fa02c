"""Check the memories of a group, and the data that is derived from them."""

from collections.abc import Iterator, Mapping
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions.embed import DECISION_VECTORS
from afterword.pipeline.domain.edges.read import top_entities
from afterword.pipeline.domain.memory.flag_rows import counts
from afterword.pipeline.domain.memory.flags import scan_old
from afterword.pipeline.domain.memory.purge import expired, retention_of
from afterword.pipeline.domain.vectors.rows import MEMORY_VECTORS
from afterword.pipeline.operations.doctor import memory_rows
from afterword.pipeline.operations.doctor.fix import Tools
from afterword.pipeline.operations.doctor.memory_rows import VectorCounts
from afterword.pipeline.operations.doctor.model import Finding, SoundFile
from afterword.pipeline.operations.forget.rows import unproved

TOP: Final = 5
"""Entities that are named beside the number of edges (count)."""

_FIX: Final = "`afterword doctor --fix --apply --only {name}`"


def check_memories(file: SoundFile) -> Iterator[Finding]:
    """Count memories: visible, deleted, superseded and stale ones."""
    with reading(file.store) as conn:
        memories = memory_rows.memory_counts(conn)
    said = f"{memories.alive:,} visible, {memories.deleted:,} deleted, "
    said += f"{memories.superseded:,} superseded, {memories.stale:,} stale"
    yield Finding(_subject(file), "fine", said)


def check_flags(file: SoundFile) -> Iterator[Finding]:
    """Count the texts that read like orders to the agent; there is no finding without one."""
    with reading(file.store) as conn:
        families = counts(conn)
    if families:
        said = f"flagged as orders to the agent and left out of prompts: {_listed(families)}"
        remedy = "`afterword memory flagged` lists them; `afterword memory unflag` clears one"
        yield Finding(_subject(file), "note", said, remedy)


def fix_injection(tools: Tools) -> tuple[int, str]:
    """Scan what was written before the scan existed, and flag what reads like an order."""

    def log(conn: Connection, rows: int) -> None:
        tools.log(conn, "injection", "injection_flags", rows)

    rows = scan_old(tools.store, tools.now, apply=tools.apply, after_batch=log)
    return rows, "flags older texts that read like orders to the agent"


def check_embeddings(file: SoundFile) -> Iterator[Finding]:
    """Check that memories and decisions get their vectors."""
    with reading(file.store) as conn:
        states = memory_rows.embedding_states(conn)
        dead = {
            of.kind.name: (memory_rows.dead_embeddings(conn, of), plural)
            for of, plural in ((MEMORY_VECTORS, "memories"), (DECISION_VECTORS, "decisions"))
        }
    yield _embeddings(_subject(file), states, file.settings.embedding_provider != "disabled")
    yield from _dead_embeddings(_subject(file), dead)


def check_edges(file: SoundFile) -> Iterator[Finding]:
    """Count edges, and name the entities with most of them."""
    with reading(file.store) as conn:
        edges = memory_rows.edges(conn)
    yield _edges(_subject(file), edges, file.store)


def check_vectors(file: SoundFile) -> Iterator[Finding]:
    """Check that vectors belong to rows and have the right length; no finding without vectors."""
    with reading(file.store) as conn:
        vectors = memory_rows.vectors(conn)
    yield from examine_vectors(_subject(file), vectors)


def check_facts(file: SoundFile) -> Iterator[Finding]:
    """Count facts by state; no finding without facts."""
    with reading(file.store) as conn:
        facts = memory_rows.fact_states(conn)
    if facts:
        yield Finding(_subject(file), "fine", f"facts: {_listed(facts)}")


def check_ends(file: SoundFile) -> Iterator[Finding]:
    """Check that expired memories are purged, and that each deletion has its absence."""
    over = expired(file.store, file.now(), retention_of(file.settings)).rows
    if over:
        said = f"{over:,} rows are past their retention; the daily purge removes them"
        yield Finding(_subject(file), "note", said)
    with reading(file.store) as conn:
        unmatched = memory_rows.unmatched_absences(conn)
    if unmatched:
        said = (
            f"{unmatched:,} memories have a deletion that does not match their absences: reads of "
            "the past are wrong for them"
        )
        remedy = "restore these memories, then delete them again"
        yield Finding(_subject(file), "wrong", said, remedy)


def check_erasures(file: SoundFile) -> Iterator[Finding]:
    """Check that every erasure is proved."""
    with reading(file.store) as conn:
        owed = len(unproved(conn))
    if owed:
        said = f"{owed:,} erasures are not proved"
        remedy = "run the same `afterword forget --apply` again"
        yield Finding(_subject(file), "wrong", said, remedy)


def examine_vectors(subject: str, vectors: VectorCounts) -> Iterator[Finding]:
    """Check the vectors of one group."""
    if vectors.bad:
        said = (
            "the table of vectors is missing"
            if vectors.missing
            else f"unusable vectors: {vectors.orphaned:,} of missing rows, "
            f"{vectors.misshapen:,} of a wrong length"
        )
        yield Finding(subject, "wrong", said, f"{_FIX.format(name='vectors,embeddings')}")
    elif vectors.vectors:
        said = f"vectors: {vectors.vectors:,} of {vectors.models} models"
        yield Finding(subject, "note" if vectors.models > 1 else "fine", said)


def _subject(file: SoundFile) -> str:
    return f"memory of {file.name}"


def _embeddings(subject: str, states: Mapping[str, int], has_embedder: bool) -> Finding:
    said = f"embeddings: {_listed(states) or 'none'}"
    if states.get("pending") and not has_embedder:
        said += "; no embedder is set, so that those that are pending get no vector"
        remedy = "set AFTERWORD_EMBEDDING_PROVIDER to `local` or `openai`"
        return Finding(subject, "note", said, remedy)
    if states.get("failed"):
        return Finding(subject, "note", said, f"{_FIX.format(name='embeddings')} tries again")
    return Finding(subject, "fine", said)


def _dead_embeddings(subject: str, dead: Mapping[str, tuple[int, str]]) -> Iterator[Finding]:
    for kind, (rows, plural) in dead.items():
        if rows:
            said = f"{rows:,} {plural} have no vector, because their embedding job is dead"
            remedy = (
                f"`afterword jobs dead --kind {kind}` shows the errors; `afterword jobs redrive "
                f"--kind {kind}` runs them again"
            )
            yield Finding(subject, "wrong", said, remedy)


def _edges(subject: str, edges: Mapping[str, int], store: Store) -> Finding:
    said = f"{sum(edges.values()):,} edges"
    if edges:
        said += f": {_listed(edges)}"
    named = top_entities(store, TOP)
    if named:
        said += "; most are about " + ", ".join(f"{one.key} {one.edges:,}" for one in named)
    return Finding(subject, "fine", said, private=tuple(one.key for one in named))


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
