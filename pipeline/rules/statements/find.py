"""Find the durable statements of the user in one message."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.statements.junk import own_text
from afterword.pipeline.rules.statements.language import LanguageRules
from afterword.pipeline.rules.statements.model import (
    StatementKind,
    StatementScan,
    UserStatement,
    WhyRefused,
)
from afterword.pipeline.rules.statements.prose import Sentence, sentences

_QUESTION: Final = expression(r"[?？]\s*[\"'”’)]*\s*$|^[¿]")
_FIRST_PERSON: Final = expression(
    r"\b(?:i|i'\w+|my|me|mine|we|our|us|ich|mein\w*|mir|mich|yo|mi|mis|prefiero|soy|tengo|eu|meu"
    r"|minha|je|j'\w+|mon|ma|moi)\b|我"
)
_EMPTY_OPENING: Final = expression(
    r"(?i)(?:(?:also|and|but|btw|by the way|fyi|hi|hey|hello|thanks|thank you|just so you know"
    r"|for the record|for your information|for context|übrigens|außerdem|zur info|por cierto|además"
    r"|au fait|d['’]ailleurs|aliás|além disso)\b[,:!. ]*"
    r"|(?:ok|okay|well|so|yes|no|yeah|ps|p\.s|note|nota|hinweis|reminder|important)\b ?[,:!.]+\s*"
    r"|(?:please )?(?:remember|note|keep in mind) that |merk dir,? dass |recuerda que "
    r"|lembre-se que "
    r"|(?:另外|还有|還有|对了|對了|顺便说一下|順便說一下|请记住|請記住|记住|記住)[，,：: ]*)"
)
_CLAUSE: Final = expression(
    r"(?:, | - |: )(?:(?:so|and|but|therefore|hence|also|because|since|deshalb|und|aber"
    r"|así que|y|pero"
    r"|donc|et|mais|então|e|mas) )?(?=(?:i|i'\w+|my|we|spot|cash|no|ich|mein\w*|mi|no|je"
    r"|j'\w+|mon|ma"
    r"|eu|meu|minha) )|[，；](?=我)"
)
"""Where a clause begins that may state something of its own."""

_MOST_OPENINGS: Final = 4
_OF_TIME: Final = frozenset({"past", "momentary"})


def find_statements(message: str) -> StatementScan:
    """Return what a message durably says of the user who wrote it, each text once.

    Args:
        message: a user's message as a host sent it: it may hold what no person typed.
    """
    prose = own_text(message)
    return StatementScan(refused=("machine",)) if prose is None else statements_in(prose)


def statements_in(prose: str) -> StatementScan:
    """Return the statements in what `own_text` left of a message."""
    lowered = prose.lower()
    if not any(rules.may.search(lowered) for rules in _languages()):
        return StatementScan()
    found: dict[str, UserStatement] = {}
    refused: list[WhyRefused] = []
    of_others = is_material(prose)
    for sentence in sentences(prose):
        kind, reason = _read(sentence)
        if kind is None:
            continue
        if reason is None and of_others:
            reason = "material"
        if reason is None:
            text = _without_opening(sentence.text)
            found.setdefault(text.casefold(), UserStatement(text, kind, sentence.text))
        else:
            refused.append(reason)
    return StatementScan(tuple(found.values()), tuple(refused))


def why_not_of_user(sentence: Sentence) -> WhyRefused | None:
    """Return why a sentence states nothing of its user; None if nothing speaks against it.

    For a sentence that a model quotes: no pattern of a statement needs to match it, and whether it
    is of the past or of the moment is the model's to say.
    """
    if _QUESTION.search(sentence.plain):
        return "question"
    for rules in _languages():
        if rules.others.match(sentence.plain):
            return "reported"
        if rules.may.search(sentence.plain):
            reason = _refusal(rules, sentence.plain)
            if reason is not None and reason not in _OF_TIME:
                return reason
    return None


def is_material(prose: str) -> bool:
    """Return whether a message holds a text to work on: its words are not the user's."""
    lowered = prose.lower()
    return any(rules.material.search(lowered) for rules in _languages())


def _without_opening(text: str) -> str:
    """Return a sentence without words that only lead to it."""
    for _ in range(_MOST_OPENINGS):
        opening = _EMPTY_OPENING.match(text)
        if opening is None or opening.end() == len(text):
            break
        text = text[opening.end() :]
    return text[:1].upper() + text[1:]


def _read(sentence: Sentence) -> tuple[StatementKind | None, WhyRefused | None]:
    """Return the kind of a sentence that looks like a statement, and why it is none."""
    if sentence.is_item and not _FIRST_PERSON.search(sentence.plain):
        return None, None  # an order of a list may be out of anybody's list
    for rules in _languages():
        if not rules.may.search(sentence.plain):
            continue
        kind = _kind(rules, sentence.plain)
        if kind is not None:
            if _QUESTION.search(sentence.plain):
                return kind, "question"
            return kind, _refusal(rules, sentence.plain)
    return None, None


def _kind(rules: LanguageRules, plain: str) -> StatementKind | None:
    """Return the kind of a sentence; a later clause may state what its first one leads to."""
    if rules.others.match(plain):
        return _kind_of_clause(rules, plain)
    clauses = [plain, *(plain[gap.end() :] for gap in _CLAUSE.finditer(plain))]
    kinds = (_kind_of_clause(rules, clause) for clause in clauses)
    return next((kind for kind in kinds if kind is not None), None)


def _kind_of_clause(rules: LanguageRules, plain: str) -> StatementKind | None:
    for _ in range(_MOST_OPENINGS):
        for kind, pattern in rules.states:
            if pattern.match(plain):
                return kind
        opening = rules.opening.match(plain)
        if opening is None or not opening.end():
            return None
        plain = plain[opening.end() :]
    return None


def _refusal(rules: LanguageRules, plain: str) -> WhyRefused | None:
    return next((reason for reason, pattern in rules.refused if pattern.search(plain)), None)


@cache
def _languages() -> Sequence[LanguageRules]:
    # Imported here: their patterns are compiled by the job that reads chats, and by nobody else.
    from afterword.pipeline.rules.statements.chinese import CHINESE_STATEMENTS
    from afterword.pipeline.rules.statements.english import ENGLISH_STATEMENTS
    from afterword.pipeline.rules.statements.french import FRENCH_STATEMENTS
    from afterword.pipeline.rules.statements.german import GERMAN_STATEMENTS
    from afterword.pipeline.rules.statements.portuguese import PORTUGUESE_STATEMENTS
    from afterword.pipeline.rules.statements.spanish import SPANISH_STATEMENTS

    return (
        ENGLISH_STATEMENTS,
        GERMAN_STATEMENTS,
        SPANISH_STATEMENTS,
        PORTUGUESE_STATEMENTS,
        FRENCH_STATEMENTS,
        CHINESE_STATEMENTS,
    )
