"""Whether a statement is remembered already, was deleted by its owner, or replaces an older one."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from afterword.pipeline.domain.facts.agreement import (
    Signature,
    signature,
    why_not_instead,
    why_not_same,
)
from afterword.pipeline.domain.facts.fingerprint import fingerprint
from afterword.pipeline.domain.facts.likeness import content_words
from afterword.pipeline.domain.facts.normalise import plain
from afterword.pipeline.domain.statements.model import SAYS
from afterword.pipeline.domain.statements.slots import slot_of
from afterword.pipeline.expression import expression

MIN_LIKENESS: Final = 0.7
"""Share of common words from which on two statements that no rule of agreement keeps apart are one:
`I prefer limit orders` and `I prefer limit orders over market orders` have 0.75."""

_POSSESSIVE: Final = expression(r"(?i)^(?:the )?user(?:'|’)s ")
_THIRD_PERSON: Final = expression(
    r"(?i)^(?:the )?user (?P<adverb>(?:(?:never|always|only|usually|generally|mostly|strongly) )?)"
    r"(?P<verb>[a-z]+?)(?P<ending>s|(?<=sh|ch|ss)es|(?<=[xo])es)(?= )"
)

_IRREGULAR: Final = {"is": "am", "has": "have", "does": "do"}

_KEPT: Final = 8_192
"""Texts whose words and signatures are kept for the next run: it compares with the same ones."""

KnownStanding = Literal["visible", "gone"]
"""`gone`: its owner deleted it, or wrote something else in its place."""


class KnownText:
    """A text that is remembered, or was.

    Args:
        memory_id: of its memory; None if the memory was purged after its deletion, or is new.
        is_ours: whether a rebuild concluded it, so that a later statement may replace it.
    """

    def __init__(
        self,
        memory_id: int | None,
        text: str,
        standing: KnownStanding,
        *,
        is_fact: bool,
        is_ours: bool,
    ) -> None:
        self.memory_id, self.text, self.standing = memory_id, text, standing
        self.is_fact, self.is_ours = is_fact, is_ours
        self.words = _words(text)

    @property
    def print(self) -> str:
        """Its fingerprint."""
        return fingerprint(_said(self.text))

    @property
    def signature(self) -> Signature:
        """What must agree."""
        return _signature(self.text)


class KnownTexts:
    """What statements are compared with, by its words."""

    def __init__(self, texts: Iterable[KnownText]) -> None:
        self._by_word: defaultdict[str, dict[int, KnownText]] = defaultdict(dict)
        for text in texts:
            self.add(text)

    def add(self, text: KnownText) -> None:
        """Compare what comes next with a text as well."""
        for word in text.words or ("",):
            self._by_word[word][id(text)] = text

    def remove(self, text: KnownText) -> None:
        """Compare nothing with a text any more."""
        for word in text.words or ("",):
            self._by_word[word].pop(id(text), None)

    def alike(self, new: KnownText) -> list[KnownText]:
        """Return the texts of the same layer that have most words of a new one, in their order."""
        shared: Counter[int] = Counter()
        texts: dict[int, KnownText] = {}
        for word in new.words or ("",):
            shared.update(self._by_word[word].keys())
            texts |= self._by_word[word]
        return [
            text
            for key, text in sorted(texts.items(), key=lambda pair: pair[1].memory_id or 0)
            if text.is_fact == new.is_fact
            and shared[key] >= MIN_LIKENESS * (len(new.words) + len(text.words) - shared[key])
        ]

    def of_slot(self, new: KnownText, kind: str) -> list[KnownText]:
        """Return the texts of ours that stand and give the single value that a new one gives."""
        slot = slot_of(_said(new.text), kind)
        if slot is None:
            return []
        near = {
            key: text for word in content_words(slot) for key, text in self._by_word[word].items()
        }
        ours = (text for text in near.values() if text.is_ours and text.standing == "visible")
        return [text for text in ours if slot_of(_said(text.text), kind) == slot]


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """What is known of a statement: the text that says the same, and those that it replaces."""

    same: KnownText | None = None
    replaces: tuple[KnownText, ...] = ()


def compare(new: KnownText, kind: str, known: KnownTexts) -> KnownMatch:
    """Return what is known of a new statement; what its owner deleted comes before what stands.

    Args:
        new: the statement as if it were remembered. Of facts only those that are gone are known
            here: the layer of facts compares the others.
        kind: of the statement.
    """
    same = [other for other in known.alike(new) if _says_the_same(new, other)]
    if same:
        return KnownMatch(min(same, key=lambda other: other.standing == "visible"))
    replaced = (
        other
        for other in known.of_slot(new, kind)
        if why_not_instead(new.signature, other.signature) is None
    )
    return KnownMatch(replaces=tuple(replaced))


def _says_the_same(new: KnownText, other: KnownText) -> bool:
    mine, theirs = new.signature, other.signature
    # Looked at first, since they differ most often; they are a part of every answer below.
    if mine.numbers != theirs.numbers or mine.entities != theirs.entities:
        return False
    if why_not_same(mine, theirs) is None:
        return True
    return mine.spoken == theirs.spoken and new.print == other.print


@lru_cache(maxsize=_KEPT)
def _words(text: str) -> frozenset[str]:
    return content_words(plain(_said(text)).lower())


@lru_cache(maxsize=_KEPT)
def _signature(text: str) -> Signature:
    return signature(_said(text))


def _said(text: str) -> str:
    """Return a text in the first person: agents and models write `The user prefers …`."""
    return _POSSESSIVE.sub("My ", _THIRD_PERSON.sub(_first_person, text.removeprefix(SAYS)))


def _first_person(match: re.Match[str]) -> str:
    verb = _IRREGULAR.get(match["verb"].lower() + match["ending"], match["verb"])
    return f"I {match['adverb']}{verb}"
