"""Extract the typed edges of a memory: how its text relates to assets, chains and addresses."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice
from typing import Final, Literal, NamedTuple

from afterword.pipeline.rules.entities.entities import Entity, EntityKind
from afterword.pipeline.rules.entities.relations import read_relations
from afterword.pipeline.rules.entities.verbs import Relation

EdgeType = Relation | Literal["mentions", "co_occurs_with", "belongs_to_scenario"]
NodeKind = EntityKind | Literal["pair", "scenario"]

STRONGEST_FIRST: Final[tuple[EdgeType, ...]] = (
    *("belongs_to_scenario", "holds", "exited", "traded", "watched"),
    *("mentions", "co_occurs_with"),
)
"""Edge types by strength."""

MAX_EDGES_PER_CONTENT: Final = 20
MAX_PAIRED_TICKERS: Final = 5  # 10 pairs at most


class Edge(NamedTuple):
    """One relation of a memory to an entity.

    Args:
        entity_kind: what the entity is; `pair` for two tickers that occur together.
        entity_key: its key; of a pair the two symbols in alphabetical order, `BTC|ETH`.
        edge_type: the relation.
        weight: always 1.0.
    """

    # A named tuple for the reason `Entity` is one.
    entity_kind: NodeKind
    entity_key: str
    edge_type: EdgeType
    weight: float = 1.0


def extract_edges(
    content: str, scenario_id: str | None, own: tuple[Edge, ...] = ()
) -> tuple[Edge, ...]:
    """Return the edges of a row, the strongest first, each once, at most 20.

    The edges a row declares itself come first, then those of its text: the scenario, then what was
    done (`holds`, `exited`, `traded`, `watched`), then `mentions` for the other entities, then
    `co_occurs_with`; within a type in order of first appearance. So a text of thirty tickers loses
    its pairs and last mentions only.

    Args:
        content: its text.
        scenario_id: the scenario the system filed it under; never read from the content, which
            could claim any.
        own: edges the row declares beside its text.
    """
    each = dict.fromkeys(chain(own, _ranked(read_relations(content), scenario_id)))
    return tuple(islice(each, MAX_EDGES_PER_CONTENT))


def _ranked(
    relations: dict[Entity, tuple[Relation, ...]], scenario_id: str | None
) -> Iterator[Edge]:
    if scenario_id:
        yield Edge("scenario", scenario_id, "belongs_to_scenario")
    for entity, done in relations.items():
        for relation in done:
            yield Edge(entity.kind, entity.key, relation)
    for entity, done in relations.items():
        if not done:
            yield Edge(entity.kind, entity.key, "mentions")
    yield from _pairs(relations)


def _pairs(entities: Iterable[Entity]) -> Iterator[Edge]:
    tickers = islice((e.key for e in entities if e.kind == "ticker"), MAX_PAIRED_TICKERS)
    for first, second in combinations(sorted(tickers), 2):
        yield Edge("pair", f"{first}|{second}", "co_occurs_with")
