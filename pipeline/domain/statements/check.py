"""Check what a model says that a user stated: nothing counts that the user's words do not hold."""

import unicodedata
from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.facts.normalise import plain
from afterword.pipeline.domain.facts.numbers import read_numbers
from afterword.pipeline.domain.facts.wording import NEGATION, read_marks
from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.statements.answer_form import ChatItem
from afterword.pipeline.domain.statements.by_rules import MASKED
from afterword.pipeline.expression import expression
from afterword.pipeline.rules.entities.entities import extract_entities
from afterword.pipeline.rules.statements.find import is_material, why_not_of_user
from afterword.pipeline.rules.statements.prose import sentences
from afterword.pipeline.rules.text.line import one_line

MIN_QUOTE: Final = 6
"""Characters of a quotation: a shorter one is in every text."""

_NAME: Final = expression(r"(?<![\w'-])[A-Z\u00c0-\u00de][\w'&.-]*\w")
_COMMON_NAMES: Final = frozenset(
    [
        "The",
        "User",
        "Users",
        "Usuario",
        "Nutzer",
        "Utilisateur",
        "I",
        "A",
        "An",
        "He",
        "She",
        "They",
        "El",
        "La",
        "Le",
        "Der",
        "Die",
        "Das",
    ]
)
"""Words in capitals that a wording adds: its subject."""


def why_not_taken(item: ChatItem, text: str | None) -> str | None:
    """Return why an item of a model is not taken; None if it is.

    Args:
        text: what the user typed in the turn that the item names; None without such a turn.
    """
    if text is None:
        return "no_such_turn"
    if item.about != "user":
        return "about_other"
    quote, said = _written(item.quote), _written(text)
    if len(quote) < MIN_QUOTE or quote not in said:
        return "not_quoted"
    memory = one_line(item.memory)
    if not memory:
        return "empty"
    if MASKED in item.quote or MASKED in memory:
        return "secret"
    if families_of(memory, item.quote):
        return "order"
    return _why_not_said(text, quote) or _why_not_worded(memory, item.quote)


def _why_not_said(text: str, quote: str) -> str | None:
    """Return why the sentences that are quoted are not the user's statement."""
    if is_material(text):
        return "material"
    is_found = False
    for sentence in sentences(text):
        said = _written(sentence.text)
        if quote not in said and said not in quote:
            continue
        if quote in said and quote not in _written(sentence.plain):
            return "reported"  # between quotation marks
        reason = why_not_of_user(sentence)
        if reason is not None:
            return reason
        is_found = True
    return None if is_found else "not_quoted"


def _why_not_worded(memory: str, quote: str) -> str | None:
    numbers = {number.value for number in read_numbers(plain(quote))}
    if any(number.value not in numbers for number in read_numbers(plain(memory))):
        return "number"
    words = _written(quote)
    if any(_written(name) not in words for name in _names(memory)):
        return "name"
    if _is_denied(memory) != _is_denied(quote):
        return "negation"
    return None


def _names(memory: str) -> Sequence[str]:
    """Return the names of a text: words in capitals, the first aside, and all entities."""
    names = [match[0] for match in _NAME.finditer(memory) if match.start() > 0]
    entities = {entity.key for entity in extract_entities(memory)}
    first = memory.split(maxsplit=1)[0].strip(".,:;")
    names += [first] if first.upper() in entities and first not in _COMMON_NAMES else []
    return [name.removesuffix("'s") for name in names if name not in _COMMON_NAMES]


def _is_denied(text: str) -> bool:
    return any(mark.family == NEGATION for mark in read_marks(plain(text).lower()))


def _written(text: str) -> str:
    """Return a text without what differs between two writings of the same words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    for mark, plain_mark in (
        ("’", "'"),
        ("‘", "'"),
        ("“", '"'),
        ("”", '"'),
        ("–", "-"),
        ("—", "-"),
    ):
        folded = folded.replace(mark, plain_mark)
    return " ".join(folded.split()).strip(" .!?\"'")
