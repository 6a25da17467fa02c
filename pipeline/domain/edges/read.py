"""Read what is known about an entity, and which entities are named most."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, get_args

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.edges import read_rows as edge_read_rows
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import STRONGEST_FIRST, Edge, NodeKind
from afterword.pipeline.domain.memory.checks import MAX_CONTENT, check_limit, check_text, check_word
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.memory.read import get_memory
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.entities.disambiguation import NAMED, Sense
from afterword.pipeline.rules.entities.entities import Entity, EntityKind, extract_entities
from afterword.pipeline.rules.market.symbols import normalise_symbol

MAX_NEIGHBOURS: Final = 1_000
"""Memories, or entities, of one answer."""

ENTITIES: Final[tuple[str, ...]] = get_args(EntityKind)
ENTITY_KINDS: Final[tuple[str, ...]] = (*ENTITIES, "pair", "scenario")
"""Every kind an edge can lead to; a text alone names no pair and no scenario."""

MAX_WAITING: Final = 100
"""Memories without their edges that are counted; more are `100+`."""

RUN_UP: Final = "run `afterword up`"
"""What a person can do about memories that wait; the others are for a model."""

ASK_AGAIN: Final = "ask again in a few seconds"
OWNER_STARTS: Final = "their owner has to start `afterword up`"


@dataclass(frozen=True, slots=True)
class EntityMemory:
    """One memory about an entity.

    Args:
        edge_types: how it relates to the entity, the strongest first.
    """

    memory: Memory
    edge_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntityCount:
    """An entity, and how many edges lead to it from visible memories."""

    kind: str
    key: str
    edges: int


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What is known about one entity.

    Args:
        memories: those about it, the strongest edge type first, then the newest, by when it
            happened or, if that is not recorded, became known.
        beside: the tickers most often named together with it; `edges` counts the memories.
        waiting: memories of any entity that wait for their edges; up to `MAX_WAITING`.
    """

    kind: str
    key: str
    memories: tuple[EntityMemory, ...]
    beside: tuple[EntityCount, ...]
    waiting: int


def neighbourhood(
    store: Store,
    kind: NodeKind,
    key: str,
    limit: int = 20,
    as_of: datetime | None = None,
) -> Neighbourhood:
    """Return the visible memories about an entity, and the tickers named together with it.

    Args:
        key: as `name_entity` gives it.
        limit: memories at most, and tickers at most; up to `MAX_NEIGHBOURS`.
        as_of: read what was visible at this moment.

    Raises:
        InvalidInputError: no such kind, a limit out of range, or a moment that was purged.
    """
    check_word(kind, ENTITY_KINDS, "kind")
    check_limit(limit, MAX_NEIGHBOURS)
    with reading(store) as conn:
        moment = read_moment(conn, as_of)
        memories = edge_read_rows.about(conn, kind, key, limit, moment)
        pairs = edge_read_rows.beside(conn, key, limit, moment) if kind == "ticker" else []
        waiting = edge_read_rows.waiting(conn, MAX_WAITING, moment)
    about = (EntityMemory(memory, _sorted(edge_types)) for memory, edge_types in memories)
    beside = (EntityCount("ticker", _other(pair, key), edges) for pair, edges in pairs)
    return Neighbourhood(kind, key, tuple(about), tuple(beside), waiting)


def top_entities(
    store: Store, limit: int = 20, kind: NodeKind | None = None, as_of: datetime | None = None
) -> list[EntityCount]:
    """Return the entities with the most edges from visible memories.

    Args:
        limit: up to `MAX_NEIGHBOURS`.
        kind: only these; without it tickers, chains and addresses.
        as_of: count what was visible at this moment.

    Raises:
        InvalidInputError: no such kind, a limit out of range, or a moment that was purged.
    """
    check_limit(limit, MAX_NEIGHBOURS)
    if kind is not None:
        check_word(kind, ENTITY_KINDS, "kind")
    with reading(store) as conn:
        moment = read_moment(conn, as_of)
        rows = edge_read_rows.top(conn, [kind] if kind else ENTITIES, limit, moment)
    return [EntityCount(*row) for row in rows]


def edges_of_memory(store: Store, memory: str | int) -> list[Edge]:
    """Return the edges of a memory, the strongest first.

    Args:
        memory: its uid, or its id inside the store.

    Raises:
        NotFoundError: there is no such memory, or it is deleted.
    """
    row = get_memory(store, memory)
    with reading(store) as conn:
        return edge_rows.kept(conn, [row.id]).get(row.id, [])


def name_entity(written: str, kind: NodeKind | None = None) -> tuple[NodeKind, str]:
    """Return the kind and key of an entity a person names: `bitcoin` is the ticker `BTC`.

    Args:
        written: a name, symbol, chain or address as people write it; a pair as `BTC|ETH`.
        kind: what it is, where the name is ambiguous: `arbitrum` is a ticker and a chain.

    Raises:
        InvalidInputError: the name is blank, or there is no such kind.
    """
    check_text(written, MAX_CONTENT, "entity")
    if kind is not None:
        check_word(kind, ENTITY_KINDS, "kind")
    name = written.strip()
    if kind == "scenario":
        return "scenario", name
    if kind == "pair" or (kind is None and "|" in name):
        first, _, second = name.partition("|")
        if not first.strip() or not second.strip():
            raise InvalidInputError("entity", f"{name!a} is not a pair", "two tickers: BTC|ETH")
        return "pair", "|".join(sorted(map(normalise_symbol, (first, second))))
    for entity in (*extract_entities(name), *_possible(name)):
        if kind in (None, entity.kind):
            return entity.kind, entity.key
    return (kind or "ticker"), (name if kind in ("chain", "address") else normalise_symbol(name))


def say_waiting(waiting: int, advice: str = RUN_UP) -> str:
    """Return a sentence about memories that wait for their edges; empty if none does.

    Args:
        advice: what the reader can do about it.
    """
    if waiting == 1:
        return f"1 memory waits for its edges; {advice}"
    number = f"{waiting}+" if waiting == MAX_WAITING else str(waiting)
    return f"{number} memories wait for their edges; {advice}" if waiting else ""


def _possible(name: str) -> list[Entity]:
    """Return the entities an ambiguous word can name: `base` is a chain where one is asked for."""
    sense = NAMED.get(name.lower())
    meanings = (sense.asset, sense.chain) if isinstance(sense, Sense) else (sense,)
    return [meaning for meaning in meanings if meaning]


def _sorted(edge_types: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(edge_types, key=STRONGEST_FIRST.index))


def _other(pair: str, key: str) -> str:
    first, _, second = pair.partition("|")
    return second if first == key else first
