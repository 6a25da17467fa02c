"""Find what a text says was done with each of its entities."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.rules.entities.clauses import BREAKS, Act, Clause, Mention, read_clauses
from afterword.pipeline.rules.entities.entities import Entity, find_entities
from afterword.pipeline.rules.entities.tokens import tokenise
from afterword.pipeline.rules.entities.verbs import Relation
from afterword.pipeline.rules.text.words import is_number, word_at, word_set

Log = dict[Entity, list[Relation]]

_REACH_BACK: Final = 12  # entities a verb reaches back to; a limit keeps the time linear
_LEAD_IN: Final = 4  # words that may stand before a verb that begins its clause

_ASIDE: Final = word_set("""
    for with against into from vs versus to via on over than like unlike instead not rather using
    per
""")
_EXCEPT: Final = word_set("except excluding besides")
_LEAD_INS: Final = word_set(
    "and i we was were got later also finally eventually position trade it user"
)
_OBJECTLESS: Final = BREAKS | word_set("""
    at for in on out near around by it them both all half everything again back too early late
    yesterday today profit profits manually there here with
""")
_OWN: Final = word_set("the my our this that whole entire")
_POSITION: Final = word_set("position trade long short rest lot bag half")


def read_relations(text: str) -> dict[Entity, tuple[Relation, ...]]:
    """Return the relations of each entity of a text, in order of first appearance.

    A verb applies to the entities after it in its clause, and the nearest verb before an entity
    wins. A verb without a later entity reaches back (`ETH sold`; `long ETH, closed at 3450`). A
    denied, wished or supposed act does not count. The last one of `holds` and `exited` applies,
    and an asset that was entered and left is `traded` too.

    Returns:
        Relations by entity, `holds` or `exited` before `traded` before `watched`; empty for an
        entity that is only mentioned.
    """
    tokens = tokenise(text)
    words = [token.lower() for token in tokens]
    entities = find_entities(tokens, words)
    log: Log = {entity: [] for _, entity in entities}
    latest: list[Entity] = []
    for clause in read_clauses(words, entities) if entities else ():
        _enter_clause(clause, latest, words, log)
        latest = [item.entity for item in clause if isinstance(item, Mention)] or latest
    return {entity: _settled(entity, done) for entity, done in log.items()}


def _enter_clause(clause: Clause, latest: Sequence[Entity], words: Sequence[str], log: Log) -> None:
    """Record the verbs of a clause; `latest` has the entities of earlier clauses."""
    act: Act | None = None
    group: list[Entity] = []  # the entities since the last verb
    for item, following in zip(clause, (*clause[1:], None), strict=True):
        if isinstance(item, Mention):
            if act and not _is_aside(act, words, item.at, is_further=bool(group)):
                _enter(act, log[item.entity])
            group.append(item.entity)
        elif isinstance(following, Mention):
            for entity in group[-_REACH_BACK:] if item.verb.is_exchange else ():
                _enter(item, log[entity])
            act, group = item, []
        elif not item.verb.needs_object and word_at(words, item.at - 1) != "to":
            reached = group or (latest if _needs_no_object(item, words) else ())
            for entity in reached[-_REACH_BACK:]:
                _enter_back(item, log[entity])


def _is_aside(act: Act, words: Sequence[str], at: int, is_further: bool) -> bool:
    """Return whether an asset is excepted, or, further on, is paid, received or compared with."""
    before = words[max(0, at - 2) : at]
    if not _EXCEPT.isdisjoint(before):
        return True
    is_one_sided = act.verb.relation in ("holds", "exited")  # a swap or a watch concerns both
    return is_further and is_one_sided and not _ASIDE.isdisjoint(before)


def _enter(act: Act, done: list[Relation]) -> None:
    """Record an act once, as the latest: a text of any length leaves at most four relations."""
    if not act.is_real:
        return
    for relation in ("holds", act.verb.relation) if act.of_position else (act.verb.relation,):
        if relation in done:
            done.remove(relation)
        done.append(relation)


def _enter_back(act: Act, done: list[Relation]) -> None:
    """Record an act that follows its asset; `long` then names a position that existed before."""
    if act.is_real and act.verb.is_position and act.verb.relation == "holds" and done:
        if "holds" not in done:
            done.insert(0, "holds")
    else:
        _enter(act, done)


def _needs_no_object(act: Act, words: Sequence[str]) -> bool:
    """Return whether a verb refers back (`closed at 3450`), unlike `sold my house`."""
    if act.verb.relation == "watched":
        return False
    if not words[act.at].isascii():
        return True
    opening = words[max(0, act.at - _LEAD_IN) : act.at]
    while opening and opening[-1] in _LEAD_INS:
        opening = opening[:-1]
    if opening and opening[-1] not in BREAKS:
        return False
    after = word_at(words, act.at + 1)
    if after in _OWN:
        return word_at(words, act.at + 2) in _POSITION
    return not after or after in _OBJECTLESS or is_number(after)


def _settled(entity: Entity, done: Sequence[Relation]) -> tuple[Relation, ...]:
    relations: list[Relation] = []
    states = [relation for relation in done if relation in ("holds", "exited")]
    if states and entity.kind != "chain":  # a chain is a place of trading, not a holding
        relations.append(states[-1])
    if "traded" in done or len(states) == 2:
        relations.append("traded")
    if "watched" in done:
        relations.append("watched")
    return tuple(relations)
