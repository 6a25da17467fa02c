"""What a text says was done with each thing it is about."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.rules.entities.clauses import BREAKS, Act, Clause, Mention, read_clauses
from afterword.pipeline.rules.entities.entities import Entity, find_entities
from afterword.pipeline.rules.entities.tokens import tokenise
from afterword.pipeline.rules.entities.verbs import Deed
from afterword.pipeline.rules.text.words import is_number, word_at, word_set

Log = dict[Entity, list[Deed]]

_REACH_BACK: Final = 12  # entities a verb reaches back to; a bound keeps hostile text linear
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


def read_deeds(text: str) -> dict[Entity, tuple[Deed, ...]]:
    """Return what was done with each entity of a text, in order of first appearance.

    A verb reaches the entities after it in its clause, and the nearest verb before an entity
    wins; a verb with none after it reaches back (`ETH sold`; `long ETH, closed at 3450`). What
    was denied, wished or supposed was not done. Of `holds` and `exited` the one said last stands,
    and an asset both entered and left was `traded` as well.

    Returns:
        Per entity its deeds, `holds` or `exited` before `traded` before `watched`; empty where it
        is only mentioned.
    """
    tokens = tokenise(text)
    words = [token.lower() for token in tokens]
    found = find_entities(tokens, words)
    log: Log = {entity: [] for _, entity in found}
    latest: list[Entity] = []
    for clause in read_clauses(words, found) if found else ():
        _enter_clause(clause, latest, words, log)
        latest = [item.entity for item in clause if isinstance(item, Mention)] or latest
    return {entity: _settled(entity, done) for entity, done in log.items()}


def _enter_clause(clause: Clause, latest: Sequence[Entity], words: Sequence[str], log: Log) -> None:
    """Log what the verbs of a clause say; `latest` is what the clauses before were about."""
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
    """Tell an asset that was excepted, or, further on, paid, received or compared with."""
    before = words[max(0, at - 2) : at]
    if not _EXCEPT.isdisjoint(before):
        return True
    is_one_sided = act.verb.deed in ("holds", "exited")  # a swap or a watch is about both
    return is_further and is_one_sided and not _ASIDE.isdisjoint(before)


def _enter(act: Act, done: list[Deed]) -> None:
    """Log an act once, as the latest: a text of any length leaves at most four deeds."""
    if not act.is_real:
        return
    for deed in ("holds", act.verb.deed) if act.of_position else (act.verb.deed,):
        if deed in done:
            done.remove(deed)
        done.append(deed)


def _enter_back(act: Act, done: list[Deed]) -> None:
    """Log an act said after its asset; there `long` names a position that was held before."""
    if act.is_real and act.verb.is_position and act.verb.deed == "holds" and done:
        if "holds" not in done:
            done.insert(0, "holds")
    else:
        _enter(act, done)


def _needs_no_object(act: Act, words: Sequence[str]) -> bool:
    """Tell `closed at 3450`, about what was said before, from `sold my house`."""
    if act.verb.deed == "watched":
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


def _settled(entity: Entity, done: Sequence[Deed]) -> tuple[Deed, ...]:
    deeds: list[Deed] = []
    states = [deed for deed in done if deed in ("holds", "exited")]
    if states and entity.kind != "chain":  # a chain is where one trades, not what one holds
        deeds.append(states[-1])
    if "traded" in done or len(states) == 2:
        deeds.append("traded")
    if "watched" in done:
        deeds.append("watched")
    return tuple(deeds)
