"""Whether what is remembered, and all that is derived from it, belongs together."""

from collections.abc import Iterator, Mapping
from typing import Final

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.decisions.embed import DECISIONS
from afterword.pipeline.domain.edges.read import top_entities
from afterword.pipeline.domain.memory.purge import expired, retention_of
from afterword.pipeline.domain.vectors.rows import MEMORIES
from afterword.pipeline.operations.doctor import memory_rows
from afterword.pipeline.operations.doctor.memory_rows import VectorCounts
from afterword.pipeline.operations.doctor.model import Finding, SoundFile
from afterword.pipeline.operations.forget.rows import unproved

TOP: Final = 5
"""Entities named beside the number of edges."""

_MEND: Final = "`afterword doctor --fix --apply --only {name}`"


def check_memories(file: SoundFile) -> Iterator[Finding]:
    """Say how many memories there are."""
    with reading(file.store) as conn:
        standing = memory_rows.standing(conn)
    said = f"{standing.alive:,} stand, {standing.deleted:,} deleted, "
    said += f"{standing.superseded:,} superseded, {standing.stale:,} stale"
    yield Finding(_subject(file), "fine", said)


def check_embeddings(file: SoundFile) -> Iterator[Finding]:
    """Look whether everything gets its vector."""
    with reading(file.store) as conn:
        states = memory_rows.embedding_states(conn)
        dead = {
            of.kind.name: (memory_rows.dead_embeddings(conn, of), plural)
            for of, plural in ((MEMORIES, "memories"), (DECISIONS, "decisions"))
        }
    yield _embeddings(_subject(file), states)
    yield from _dead_embeddings(_subject(file), dead)


def check_edges(file: SoundFile) -> Iterator[Finding]:
    """Say how many edges there are, and about what."""
    with reading(file.store) as conn:
        edges = memory_rows.edges(conn)
    yield _edges(_subject(file), edges, file.store)


def check_vectors(file: SoundFile) -> Iterator[Finding]:
    """Look whether vectors belong to what is remembered; nothing is said where there are none."""
    with reading(file.store) as conn:
        vectors = memory_rows.vectors(conn)
    yield from examine_vectors(_subject(file), vectors)


def check_facts(file: SoundFile) -> Iterator[Finding]:
    """Say how many facts are in which state; nothing where there are none."""
    with reading(file.store) as conn:
        facts = memory_rows.fact_states(conn)
    if facts:
        yield Finding(_subject(file), "fine", f"facts: {_listed(facts)}")


def check_ends(file: SoundFile) -> Iterator[Finding]:
    """Look whether memories end as they should: past their retention, and with a known absence."""
    over = expired(file.store, file.now(), retention_of(file.settings)).rows
    if over:
        said = f"{over:,} rows are past their retention; the daily purge removes them"
        yield Finding(_subject(file), "note", said)
    with reading(file.store) as conn:
        unmatched = memory_rows.unmatched_absences(conn)
    if unmatched:
        said = f"{unmatched:,} deletions and absences disagree: reads of the past are wrong there"
        remedy = "restore these memories and delete them again"
        yield Finding(_subject(file), "wrong", said, remedy)


def check_erasures(file: SoundFile) -> Iterator[Finding]:
    """Look whether every erasure is proved."""
    with reading(file.store) as conn:
        owed = len(unproved(conn))
    if owed:
        said = f"{owed:,} erasures are not proved"
        remedy = "run the same `afterword forget --apply` again"
        yield Finding(_subject(file), "wrong", said, remedy)


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


def _subject(file: SoundFile) -> str:
    return f"memory of {file.name}"


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
