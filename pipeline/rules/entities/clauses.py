"""Split a text into clauses with their verbs and entity mentions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, NamedTuple

from afterword.pipeline.rules.entities.entities import Entity
from afterword.pipeline.rules.entities.verbs import (
    COMMAS,
    CONDITIONS,
    CONJUNCTIONS,
    REACH_OF_UNREAL,
    SENTENCE_ENDS,
    VERBS,
    Verb,
)
from afterword.pipeline.rules.text.words import is_number, word_at, word_set

BREAKS: Final = CONJUNCTIONS | COMMAS | SENTENCE_ENDS

_MARKS: Final = BREAKS | CONDITIONS | VERBS.keys() | REACH_OF_UNREAL.keys()
_NEVER_POSITION: Final = word_set("as how so too all day week")  # as long as, all day long
_POSITION_GAP: Final = 5  # tokens: closed the rest of my long
_OR: Final = word_set("or nor 或")
_LIST_WORDS: Final = word_set("and or also plus some a little 和 及 与 或")
_LIST_ENDS: Final = BREAKS | word_set("""
    and or also plus 和 及 与 或 at on in from for with as position positions long longs short
    shorts token tokens
""")


@dataclass(frozen=True, slots=True)
class Act:
    """A use of a verb in a text.

    Args:
        at: index of its token.
        verb: the verb.
        is_real: whether it happened; False if it is denied, wished or supposed.
        of_position: whether it ends a position: `closed my long`.
    """

    at: int
    verb: Verb
    is_real: bool
    of_position: bool = False


class Mention(NamedTuple):
    """An entity with the index of its token."""

    at: int
    entity: Entity


Clause = Sequence[Act | Mention]


def read_clauses(words: Sequence[str], entities: Sequence[tuple[int, Entity]]) -> Iterator[Clause]:
    """Yield the verbs and mentions of each clause, in order.

    Args:
        words: the tokens of the text, lower-cased.
        entities: its entities with the index of their token, in order.
    """
    mentioned = {
        at: [Mention(at, entity) for _, entity in group]
        for at, group in groupby(entities, key=lambda item: item[0])
    }
    marks = {at for at, word in enumerate(words) if word in _MARKS}
    clause: list[Act | Mention] = []
    unreal_until, is_supposed = -1, False
    for at in sorted(marks | mentioned.keys()):
        word = words[at]
        if at in mentioned:
            clause += mentioned[at]
        elif word in VERBS:
            if _is_used(VERBS[word], words, at):
                is_denied = at <= unreal_until or _shares_denial(clause, words, at)
                _add_act(clause, Act(at, VERBS[word], not (is_denied or is_supposed)))
                unreal_until = -1
        elif word in REACH_OF_UNREAL:
            if word_at(words, at + 1) != "only":
                unreal_until = at + REACH_OF_UNREAL[word]
        elif word in CONDITIONS:
            is_supposed = True
        elif not (word in COMMAS and _continues_list(clause, words, mentioned, at)):
            if clause:
                yield clause
            clause, unreal_until = [], -1
            is_supposed = is_supposed and word not in SENTENCE_ENDS
    if clause:
        yield clause


def _is_used(verb: Verb, words: Sequence[str], at: int) -> bool:
    """Return whether a word is a verb here, not part of an expression: `long term`, `sell wall`."""
    after = word_at(words, at + 1)
    if after in verb.not_before or (verb.only_before and after not in verb.only_before):
        return False
    if verb.is_position and word_at(words, at - 1) in _NEVER_POSITION:
        return False
    return not (verb.not_before_number and is_number(after))


def _shares_denial(clause: Clause, words: Sequence[str], at: int) -> bool:
    """Return whether a verb shares the denial of the one before: `did not buy or sell`."""
    last = clause[-1] if clause else None
    return isinstance(last, Act) and not last.is_real and word_at(words, at - 1) in _OR


def _add_act(clause: list[Act | Mention], act: Act) -> None:
    """Add a verb; directly after another verb, `long` and `short` are its object."""
    last = clause[-1] if clause else None
    if not isinstance(last, Act) or not act.verb.is_position or act.at - last.at > _POSITION_GAP:
        clause.append(act)
    elif last.verb.relation == "exited":
        clause[-1] = replace(last, of_position=True)
    elif last.verb.relation == "holds":
        clause[-1] = replace(act, is_real=last.is_real)  # opened a short


def _continues_list(
    clause: Clause, words: Sequence[str], mentioned: Mapping[int, object], comma: int
) -> bool:
    """Return whether a comma is inside a list (`bought BTC, ETH and SOL`) and ends no clause."""
    if not clause or isinstance(clause[-1], Act):
        return False
    at = comma + 1
    while word_at(words, at) in _LIST_WORDS or is_number(word_at(words, at)):
        at += 1
    after = word_at(words, at + 1)
    return at in mentioned and (not after or after in _LIST_ENDS or is_number(after))
