"""Check values before anything is written; an error names the field that is wrong."""

from collections.abc import Callable, Collection
from typing import Final, TypeGuard

from afterword.pipeline.clock import checked_moment
from afterword.pipeline.domain.memory.model import (
    MEMORY_CATEGORIES,
    ORIGINS,
    OWNER_SOURCES,
    SOURCES,
    TYPES,
    Actor,
    NewMemory,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.text.line import is_visible

MAX_CONTENT: Final = 100_000
"""Characters of an untyped memory: a long page; more belongs in a file the memory names."""

MAX_TYPED_CONTENT: Final = 2_000
"""Characters of a typed entry (R4)."""

MAX_TAGS: Final = 10
MAX_TAG_CHARS: Final = 50
"""Tags of a memory, and characters of one (R4)."""

MAX_NAME: Final = 200
"""Characters of a session or scenario id."""


def check_memory(new: NewMemory, actor: Actor, at: str = "", *, as_fact: bool = False) -> None:
    """Refuse a memory that may not be written; metadata is checked where it becomes JSON.

    Args:
        actor: who writes; only the owner speaks for the owner.
        at: the memory's position in a list, such as `memories[3].`; prefix of field names.
        as_fact: the fact layer writes it; anywhere else a plain fact is refused, since no row of
            that layer would ever consolidate it.

    Raises:
        InvalidInputError: the first field found to be wrong.
    """
    for check in CHECKS:
        check(new, actor, at)
    if not as_fact:
        check_layer(new, at)


def check_layer(new: NewMemory, at: str = "") -> None:
    """Refuse a plain fact outside the fact layer.

    Raises:
        InvalidInputError: the category is `fact`, and the memory is not a typed entry.
    """
    if new.category == "fact" and new.type is None:
        doors = "`afterword fact record TEXT`, or a typed one: `afterword entry store fact TEXT`"
        raise InvalidInputError(f"{at}category", "a fact is not kept as a plain memory", doors)


def check_word(value: object, accepted: Collection[str], field: str) -> None:
    """Refuse a value outside a closed vocabulary.

    Raises:
        InvalidInputError: it is not one of the accepted words.
    """
    if not isinstance(value, str) or value not in accepted:
        raise InvalidInputError(field, f"{short_repr(value)} is unknown", ", ".join(accepted))


def check_text(value: object, most: int, field: str) -> None:
    """Refuse a value that is not text that can be stored, found and shown again.

    Args:
        most: characters.

    Raises:
        InvalidInputError: not text, blank or invisible, too long, or not storable as it is.
    """
    accepted = f"text of 1 to {most} characters"
    if not isinstance(value, str):
        raise InvalidInputError(field, f"{short_repr(value)} is not text", accepted)
    if not value.strip():
        raise InvalidInputError(field, "is blank", accepted)
    if len(value) > most:
        raise InvalidInputError(field, f"has {len(value)} characters", accepted)
    if not is_visible(value):
        raise InvalidInputError(field, "shows nothing", accepted)
    if not is_storable(value):
        raise InvalidInputError(
            field, "holds a NUL or half a surrogate pair", "whole Unicode characters without NUL"
        )


def is_storable(text: str) -> bool:
    """Say whether SQLite gives the text back as it was: no NUL ends it, UTF-8 can write it."""
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_name(value: object) -> TypeGuard[str]:
    """Say whether a value can be the name of a row: storable text."""
    return isinstance(value, str) and is_storable(value)


def check_limit(limit: object, most: int) -> None:
    """Refuse a number of rows to return outside 1 to `most`; a negative one would return all.

    Raises:
        InvalidInputError: it is outside, or not a whole number.
    """
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= most:
        raise InvalidInputError("limit", f"is {short_repr(limit)}", f"a number from 1 to {most}")


def short_repr(value: object) -> str:
    """Return a value as one short line: a refused one may be huge or not printable."""
    if isinstance(value, str):
        return ascii(value[:40])
    if isinstance(value, int) and value.bit_length() < 64:
        return str(value)
    if isinstance(value, float):
        return repr(value)
    return f"a {type(value).__name__}"


def _check_category(new: NewMemory, _actor: Actor, at: str) -> None:
    check_word(new.category, MEMORY_CATEGORIES, f"{at}category")


def _check_type(new: NewMemory, _actor: Actor, at: str) -> None:
    if new.type is None:
        return
    check_word(new.type, TYPES, f"{at}type")
    if new.category in MEMORY_CATEGORIES and new.category != new.type:
        problem = f"is {new.category} while type is {new.type}"
        raise InvalidInputError(f"{at}category", problem, "the entry's type")


def _check_content(new: NewMemory, _actor: Actor, at: str) -> None:
    most = MAX_CONTENT if new.type is None else MAX_TYPED_CONTENT
    check_text(new.content, most, f"{at}content")


def _check_source(new: NewMemory, actor: Actor, at: str) -> None:
    if new.source is not None:
        check_word(new.source, SOURCES, f"{at}source")
    if new.source in OWNER_SOURCES and actor != "owner":
        others = ", ".join(word for word in SOURCES if word not in OWNER_SOURCES)
        raise InvalidInputError(f"{at}source", "only the owner's door sets it", others)


def _check_origin(new: NewMemory, actor: Actor, at: str) -> None:
    check_word(new.origin, ORIGINS, f"{at}origin")
    # The system may: what it derives from the owner's words has the owner's origin.
    if new.origin == "owner" and actor == "agent":
        others = ", ".join(word for word in ORIGINS if word != "owner")
        raise InvalidInputError(f"{at}origin", "an agent's words are not the owner's", others)


def _check_tags(new: NewMemory, _actor: Actor, at: str) -> None:
    tags: object = new.tags
    accepted = f"up to {MAX_TAGS} texts"
    if not isinstance(tags, list | tuple):
        raise InvalidInputError(f"{at}tags", f"{short_repr(tags)} is not a list", accepted)
    if len(tags) > MAX_TAGS:
        raise InvalidInputError(f"{at}tags", f"has {len(tags)} tags", accepted)
    for index, tag in enumerate(tags):
        check_text(tag, MAX_TAG_CHARS, f"{at}tags[{index}]")


def _check_links(new: NewMemory, actor: Actor, at: str) -> None:
    if new.parents and actor != "system":
        raise InvalidInputError(f"{at}parents", f"are not the {actor}'s to name", "none")
    for name, value in (("session_id", new.session_id), ("scenario_id", new.scenario_id)):
        if value is not None:
            check_text(value, MAX_NAME, f"{at}{name}")


def _check_moment(new: NewMemory, _actor: Actor, at: str) -> None:
    if new.occurred_at is not None:
        checked_moment(new.occurred_at, f"{at}occurred_at")


CHECKS: Final[tuple[Callable[[NewMemory, Actor, str], None], ...]] = (
    *(_check_category, _check_type, _check_content, _check_origin, _check_source, _check_tags),
    *(_check_links, _check_moment),
)
"""One check for each field; each raises an `InvalidInputError` for the first fault it finds."""
