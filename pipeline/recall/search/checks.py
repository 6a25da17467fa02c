"""Check a search scope before anything is read."""

from datetime import datetime

from afterword.pipeline.domain.memory.checks import MAX_NAME, MAX_TAG_CHARS, check_text, check_word
from afterword.pipeline.domain.memory.model import MEMORY_CATEGORIES, TYPES
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.recall.search.model import Scope


def check_scope(scope: Scope) -> None:
    """Refuse a scope with a wrong field.

    Raises:
        InvalidInputError: an unknown category or type, a bad tag or session, or a moment without
            time zone.
    """
    for name, words in (("category", MEMORY_CATEGORIES), ("type", TYPES)):
        if (value := getattr(scope, name)) is not None:
            check_word(value, words, name)
    if not isinstance(scope.tags, list | tuple):
        raise InvalidInputError("tags", "is not a list", "a list of texts")
    for index, tag in enumerate(scope.tags):
        check_text(tag, MAX_TAG_CHARS, f"tags[{index}]")
    if scope.session_id is not None:
        check_text(scope.session_id, MAX_NAME, "session_id")
    for name in ("after", "before"):
        value = getattr(scope, name)
        is_moment = isinstance(value, datetime) and value.utcoffset() is not None
        if value is not None and not is_moment:
            raise InvalidInputError(name, "is not a moment with a time zone", "an aware datetime")


def check_relevance(least: float) -> None:
    """Refuse a least relevance other than a share.

    Raises:
        InvalidInputError: it is not a number from 0 to 1.
    """
    is_number = isinstance(least, int | float) and not isinstance(least, bool)
    if not is_number or not 0 <= least <= 1:
        raise InvalidInputError("min_relevance", f"must be a share, got {least!r}", "0 to 1")
