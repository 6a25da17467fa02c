"""What a learning is about: the words of a request without its assets, numbers and addresses."""

import re
from typing import Final

from afterword.pipeline.rules.entities.entities import find_entities
from afterword.pipeline.rules.entities.tokens import tokenise
from afterword.pipeline.rules.text.line import one_line
from afterword.pipeline.rules.text.words import is_number

MAX_TRIGGER: Final = 200
MAX_LEARNING_NAME: Final = 80
"""Characters of a trigger and of a name."""

_READ: Final = 600
"""Characters of a message that are read: what it asks for stands at its beginning."""

_NAME_WORDS: Final = 8
_WORD: Final = re.compile(r"[^\W_]+")
_COURTESY: Final = (
    "please|pls|kindly|can|could|would|you|me|thanks|thank you|now|just|hey|hi|hello|ok|okay|"
    "i need|i want|i would like|i'd like|let's|help|por favor|quiero|bitte|请|麻烦|帮我|谢谢"
)
_POLITE: Final = re.compile(
    "|".join(
        rf"\b{re.escape(word)}\b" if word.isascii() else word
        for word in sorted(_COURTESY.split("|"), key=lambda word: -len(word))
    ),
    re.IGNORECASE,
)
"""What a request says beside its task."""

_AMOUNT: Final = frozenset(["usd", "usdt", "eur", "dollar", "dollars", "percent"])
_LONELY: Final = re.compile(r"(?<!\S)[%$€£¥,.:;@#x]+(?!\S)")
"""Signs that stood beside a number."""


def general_trigger(message: str) -> str:
    """Return a request as a trigger: what fits the next request of its kind as well.

    Tickers, addresses and numbers are left out; names of chains and venues stay, since the tools
    differ. Empty if nothing is left.
    """
    read = message[:_READ]
    tokens = tokenise(read)
    words = [token.lower() for token in tokens]
    left_out = {tokens[at] for at, entity in find_entities(tokens, words) if entity.kind != "chain"}
    left_out |= {token for token in tokens if is_number(token)}
    if any(map(is_number, tokens)):
        left_out |= {token for token in tokens if token.lower() in _AMOUNT}
    if left_out:
        longest_first = sorted(left_out, key=lambda token: (-len(token), token))
        read = re.sub("|".join(map(_whole, longest_first)), " ", read)
    line = one_line(_LONELY.sub(" ", without_courtesy(read)), MAX_TRIGGER).strip(" .,;:?!")
    return line if _WORD.search(line) else ""


def without_courtesy(text: str) -> str:
    """Return a text without the words that are polite and say nothing of the task."""
    return _POLITE.sub(" ", text)


def name_of(trigger: str) -> str:
    """Return a name for a trigger: its first words in lower case, joined by underscores."""
    words = _WORD.findall(trigger.lower())[:_NAME_WORDS]
    return "_".join(words)[:MAX_LEARNING_NAME].strip("_") or "learning"


def _whole(token: str) -> str:
    """Return an expression for a token, which scripts without spaces do not set apart."""
    escaped = re.escape(token)
    return rf"(?<!\w){escaped}(?!\w)" if token.isascii() else escaped
