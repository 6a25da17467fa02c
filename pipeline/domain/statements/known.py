"""Whether a statement is remembered already, was deleted by its owner, or replaces an older one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from afterword.pipeline.domain.facts.agreement import (
    Signature,
    signature,
    why_not_instead,
    why_not_same,
)
from afterword.pipeline.domain.facts.fingerprint import fingerprint
from afterword.pipeline.domain.facts.likeness import content_words, likeness
from afterword.pipeline.domain.facts.normalise import plain
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

Standing = Literal["visible", "gone"]
"""`gone`: its owner deleted it, or wrote something else in its place."""


class KnownText:
    """A text that is remembered, or was.

    Args:
        id: of its memory; None if the memory was purged after its deletion.
        is_ours: whether a rebuild concluded it, so that a later statement may replace it.
    """

    def __init__(
        self, id: int | None, text: str, standing: Standing, is_fact: bool, is_ours: bool
    ) -> None:
        self.id, self.text, self.standing = id, text, standing
        self.is_fact, self.is_ours = is_fact, is_ours

    @cached_property
    def words(self) -> frozenset[str]:
        """Its content words."""
        return content_words(plain(self.said).lower())

    @cached_property
    def print(self) -> str:
        """Its fingerprint."""
        return fingerprint(self.said)

    @cached_property
    def signature(self) -> Signature:
        """What must agree."""
        return signature(self.said)

    @cached_property
    def said(self) -> str:
        """The text in the first person: agents and models write `The user prefers …`."""
        return _POSSESSIVE.sub("My ", _THIRD_PERSON.sub(_first_person, self.text))


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """What a statement is compared with: the text that says the same, and those it replaces."""

    same: KnownText | None = None
    replaces: tuple[KnownText, ...] = ()


def compare(new: KnownText, kind: str, known: Iterable[KnownText]) -> KnownMatch:
    """Return what is known of a new statement; what its owner deleted comes before what stands.

    Args:
        new: the statement as if it were remembered.
        kind: of the statement. Of facts only those that are gone are looked at: the layer of facts
            compares the others.
    """
    others = [one for one in known if one.is_fact == new.is_fact]
    same = [one for one in others if _says_the_same(new, one)]
    same.sort(key=lambda one: one.standing == "visible")
    if same:
        return KnownMatch(same[0])
    slot = slot_of(new.text, kind)
    if slot is None:
        return KnownMatch()
    replaced = (
        one
        for one in others
        if one.is_ours and one.standing == "visible" and slot_of(one.text, kind) == slot
    )
    return KnownMatch(
        replaces=tuple(
            one for one in replaced if why_not_instead(new.signature, one.signature) is None
        )
    )


def _first_person(match: re.Match[str]) -> str:
    verb = _IRREGULAR.get(match["verb"].lower() + match["ending"], match["verb"])
    return f"I {match['adverb']}{verb}"


def _says_the_same(new: KnownText, other: KnownText) -> bool:
    if likeness(new.words, other.words) < MIN_LIKENESS and new.print != other.print:
        return False
    return new.print == other.print or why_not_same(new.signature, other.signature) is None
