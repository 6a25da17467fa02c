"""The answers of the onboarding: which questions there are, and what each answer may be."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.user_tags.schema import (
    LABELS,
    MARKETS_TAG,
    parse_stored_tag_value,
    serialize_tag_value,
)

CAPITAL: Final = "capital"
ONBOARDING_QUESTIONS: Final = ("finance_knowledge", "frequency", "risk", MARKETS_TAG, CAPITAL)
"""What is asked, in its order (R3); each but the capital is a dimension of the tags."""

_ANY: Final = ", ".join(ONBOARDING_QUESTIONS)

# Signs of amounts and no words, so that no answer can hold an order.
_AMOUNT: Final = r"\$? ?[0-9][0-9.,' ]{0,14} ?[kKmM]?"
_CAPITAL: Final = re.compile(rf"(?:[<>≤≥] ?)?(?P<low>{_AMOUNT})(?: ?[-–] ?(?P<high>{_AMOUNT})|\+)?")
_THOUSANDS: Final = re.compile(r"[.,' ](?=[0-9]{3}(?![0-9]))")
_FACTORS: Final = {"k": Decimal(1_000), "m": Decimal(1_000_000)}

_SENTENCES: Final = {
    "finance_knowledge": "The user's knowledge of finance: {}",
    "frequency": "How often the user trades: {}",
    "risk": "The risk the user is willing to take: {}",
    MARKETS_TAG: "The markets the user trades: {}",
    CAPITAL: "The capital the user invests, by the user's own word: {}",
}


def checked_answers(given: Mapping[str, str | Iterable[str] | None]) -> dict[str, str]:
    """Return the answers as they are stored, in the order of the questions.

    Args:
        given: by question; None and a question that is missing are not answered.

    Raises:
        InvalidInputError: no such question, a value that is not on its list, or no answer at all.
    """
    unknown = [name for name in given if name not in ONBOARDING_QUESTIONS]
    if unknown:
        raise InvalidInputError(short_repr(unknown[0]), "is no question", _ANY)
    answers = {}
    for question in ONBOARDING_QUESTIONS:
        answer = given.get(question)
        if answer is not None:
            answers[question] = _checked(question, answer)
    if not answers:
        raise InvalidInputError("answers", "are missing", f"one of {_ANY}")
    return answers


def answer_value(question: str, stored: str) -> str | tuple[str, ...]:
    """Return an answer as a program reads it."""
    return stored if question == CAPITAL else parse_stored_tag_value(question, stored)


def answer_label(question: str, answer: str | Iterable[str]) -> str:
    """Return an answer as people read it."""
    if question == CAPITAL:
        return str(answer)
    values = (answer,) if isinstance(answer, str) else answer
    return ", ".join(LABELS[question][value] for value in values)


def answer_sentence(question: str, stored: str) -> str:
    """Return the memory that tells an answer."""
    return _SENTENCES[question].format(answer_label(question, answer_value(question, stored)))


def _checked(question: str, answer: str | Iterable[str]) -> str:
    if question != CAPITAL:
        return serialize_tag_value(question, answer)
    written = _CAPITAL.fullmatch(answer.strip()) if isinstance(answer, str) else None
    if written is None:
        accepted = "an amount or a range in dollars, such as $1k-5k, <$1000 or 50k+"
        raise InvalidInputError(CAPITAL, f"is {short_repr(answer)}", accepted)
    if written["high"] is not None and _dollars(written["low"]) >= _dollars(written["high"]):
        accepted = "a range from less to more, such as $1k-5k"
        raise InvalidInputError(CAPITAL, f"is {short_repr(answer)}, which falls", accepted)
    return written[0]


def _dollars(amount: str) -> Decimal:
    """Return an amount as a number; a sign before three last digits parts thousands."""
    number = amount.strip("$ ").lower()
    factor = _FACTORS.get(number[-1], Decimal(1))
    digits = number.rstrip("km ")
    if factor == 1:
        digits = _THOUSANDS.sub("", digits)
    return factor * Decimal(_plain_digits(digits))


def _plain_digits(digits: str) -> str:
    """Return digits with at most one point: the last sign parts the fraction."""
    whole, *rest = re.split(r"[.,' ]", digits.strip(".,' "))
    return f"{whole}{''.join(rest[:-1])}.{rest[-1]}" if rest else whole
