"""Rules two statements must meet before one may replace the other; no model overrules them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from afterword.pipeline.domain.facts.language import is_one_language, language
from afterword.pipeline.domain.facts.likeness import content_words
from afterword.pipeline.domain.facts.normalise import normal_form, plain
from afterword.pipeline.domain.facts.numbers import Number, read_numbers
from afterword.pipeline.domain.facts.wording import NEGATION, TurningWord, read_marks
from afterword.pipeline.rules.entities.entities import Entity, find_entities
from afterword.pipeline.rules.entities.tokens import tokenise
from afterword.pipeline.rules.text.grams import UNSPACED

MIN_WORDS: Final = 2
"""Fewest words, numbers and entities of a text that can be compared."""

MIN_SHARED: Final = 0.3
"""Smallest share of the shorter statement's words that the other one must contain."""

_STRICT: Final = ("side",)
"""Families of turns that must agree even if one statement has none of them."""

_SUBJECT: Final = ("level", "product", "person", "tense", "condition")
"""Families that name the subject of a statement: only the same subject can be replaced."""

_REACH: Final = 24  # characters after a negation in which the negated entity is searched
_SYMBOL: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Z0-9]{1,9}(?![A-Za-z0-9])")
_QUESTION: Final = re.compile(r"[?？]\s*$|[吗呢]\s*[。.]?$")

_SPOKEN: Final = re.compile(rf"{UNSPACED.pattern.rstrip('+')}|[^\W_]+")

Turns = Mapping[str, tuple[str, ...]]


class EntityMention(NamedTuple):
    """An entity and its place in a text; characters."""

    at: int
    end: int
    entity: Entity


@dataclass(frozen=True, slots=True)
class Signature:
    """The parts of a statement that must not differ, each in text order.

    Args:
        language: two letters, or `UNKNOWN`.
        entities: the tickers, chains and addresses in it.
        numbers: normalised, with their units.
        denied: the negated entity of each negation, if there are several entities; else empty.
        turns: words that change its meaning, by family: sides, bounds, periods, places.
        symbols: words in capitals that are not known entities.
        spoken: the words of its normal form, in order.
        words: content words, stemmed, without the entities.
        is_question: whether it asks rather than states.
    """

    language: str
    entities: tuple[Entity, ...]
    numbers: tuple[Number, ...]
    denied: tuple[str, ...]
    turns: Turns
    symbols: frozenset[str]
    spoken: tuple[str, ...]
    words: frozenset[str]
    is_question: bool

    @property
    def length(self) -> int:
        """Content words, numbers and entities; count."""
        return len(self.words) + len(self.numbers) + len(self.entities)


def signature(text: str) -> Signature:
    """Return the signature of a statement."""
    written = plain(text)
    tokens = tokenise(written)
    mentions = _mentions(written, tokens)
    lowered = written.lower() if len(written.lower()) == len(written) else written.casefold()
    marks = list(read_marks(lowered))
    entities = tuple(dict.fromkeys(entity for _, _, entity in mentions))
    symbols = frozenset(_SYMBOL.findall(written)) if not written.isupper() else frozenset()
    return Signature(
        language=language(written),
        entities=entities,
        numbers=tuple(Number(0, value, named) for _, value, named in read_numbers(written)),
        denied=tuple(
            # With one asset the place of the negation does not matter.
            _denied(mark, mentions) if len(entities) > 1 else ""
            for mark in marks
            if mark.family == NEGATION
        ),
        turns=_by_family(marks),
        symbols=symbols - {entity.key for entity in entities},
        spoken=tuple(_SPOKEN.findall(normal_form(written))),
        words=content_words(_without(lowered, mentions)),
        is_question=bool(_QUESTION.search(written)),
    )


def why_not_same(fact: Signature, other: Signature) -> str | None:
    """Return the rule that forbids merging two statements; None if none does."""
    families = {*fact.turns, *other.turns} if fact.turns != other.turns else ()
    checks = (
        ("question", not (fact.is_question or other.is_question)),
        ("short", min(fact.length, other.length) >= MIN_WORDS),
        ("language", is_one_language(fact.language, other.language)),
        ("entities", fact.entities == other.entities and fact.symbols == other.symbols),
        ("numbers", fact.numbers == other.numbers),
        ("negation", fact.denied == other.denied),
        ("turns", all(_turns_agree(family, fact.turns, other.turns) for family in families)),
        ("exchange", not is_exchange(fact.spoken, other.spoken)),
        ("subject", _shared(fact, other) >= MIN_SHARED),
    )
    return _first_broken(checks)


def why_not_instead(new: Signature, old: Signature) -> str | None:
    """Return the rule that forbids a newer statement to replace an older; None if none does."""
    checks = (
        ("question", not (new.is_question or old.is_question)),
        ("short", min(new.length, old.length) >= MIN_WORDS),
        ("language", is_one_language(new.language, old.language)),
        ("entities", set(new.entities) == set(old.entities) and new.symbols == old.symbols),
        ("which", _names(new) == _names(old)),
        ("about", all(set(new.turns.get(f, ())) == set(old.turns.get(f, ())) for f in _SUBJECT)),
        ("subject", _shared(new, old) >= MIN_SHARED),
    )
    return _first_broken(checks)


def _first_broken(checks: Sequence[tuple[str, bool]]) -> str | None:
    return next((name for name, holds in checks if not holds), None)


def _turns_agree(family: str, turns: Turns, other: Turns) -> bool:
    mine, theirs = turns.get(family, ()), other.get(family, ())
    if not (mine and theirs) and family not in _STRICT:
        return True
    return mine == theirs


def _names(fact: Signature) -> list[str]:
    return [number.value for number in fact.numbers if number.is_name]


def _shared(fact: Signature, other: Signature) -> float:
    shorter = min(len(fact.words), len(other.words))
    return len(fact.words & other.words) / shorter if shorter else 1.0


def is_exchange(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two statements differ in one place only: the rest is word for word the same.

    A restatement is worded differently; one exchanged word makes another statement.
    """
    before = _common(one, other)
    after = _common(one[before:][::-1], other[before:][::-1])
    shorter, longer = sorted((len(one), len(other)))
    is_frame = 2 * (before + after) >= shorter
    return is_frame and (before + after < shorter or shorter == longer)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _by_family(marks: Sequence[TurningWord]) -> Turns:
    turns: dict[str, tuple[str, ...]] = {}
    for mark in marks:
        own = turns.get(mark.family, ())
        if mark.family != NEGATION and mark.turn not in own:
            turns[mark.family] = (*own, mark.turn)
    return turns


def _without(lowered: str, mentions: Sequence[EntityMention]) -> str:
    for at, end, _ in mentions:
        lowered = f"{lowered[:at]}{' ' * (end - at)}{lowered[end:]}"
    return lowered


def _mentions(text: str, tokens: Sequence[str]) -> list[EntityMention]:
    """Return where each entity begins and ends, in characters."""
    entities = find_entities(tokens, [token.lower() for token in tokens])
    starts = list(_starts(text, tokens)) if entities else []
    return [
        EntityMention(starts[index], starts[index] + len(tokens[index]), entity)
        for index, entity in entities
    ]


def _starts(text: str, tokens: Sequence[str]) -> Iterator[int]:
    at = 0
    for token in tokens:
        at = text.index(token, at)
        yield at
        at += len(token)


def _denied(mark: TurningWord, mentions: Sequence[EntityMention]) -> str:
    near = (entity.key for at, _, entity in mentions if 0 <= at - mark.end <= _REACH)
    return next(near, "")
