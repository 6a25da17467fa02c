"""Take tags of the first version over; nothing is guessed, and what stands is not changed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile import tag_rows
from afterword.pipeline.domain.profile.financial_profile import check_owner
from afterword.pipeline.domain.profile.tags import set_tag
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.user_tags.first_version import RenamedTag, renamed_tag

MAX_MIGRATED: Final = 100
"""Rows of one file: a user had ten dimensions at most."""

_ACCEPTED: Final = "a JSON object of values by dimension, or a list of such rows"


@dataclass(frozen=True, slots=True)
class TagMigration:
    """What a migration does.

    Args:
        is_applied: whether it was done; a dry run changes nothing.
    """

    tags: tuple[RenamedTag, ...]
    is_applied: bool

    @property
    def taken_over(self) -> tuple[RenamedTag, ...]:
        """Return the tags that are taken over."""
        return tuple(tag for tag in self.tags if not tag.left_out)


def read_first_version(text: str) -> list[RenamedTag]:
    """Return the tags of a file of the first version.

    Args:
        text: JSON: an object of values by dimension, or a list of rows with `dimension`, `value`
            and perhaps `source`.

    Raises:
        InvalidInputError: it is neither, or too long.
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("file", "is not JSON", _ACCEPTED) from error
    if isinstance(given, dict):
        given = [{"dimension": name, "value": value} for name, value in given.items()]
    if not isinstance(given, list) or not all(isinstance(row, dict) for row in given):
        raise InvalidInputError("file", "holds no rows", _ACCEPTED)
    if len(given) > MAX_MIGRATED:
        raise InvalidInputError("file", f"has {len(given)} rows", f"up to {MAX_MIGRATED}")
    return [_masked(renamed_tag(row)) for row in given]


def migrate_tags(by: Writer, tags: Sequence[RenamedTag], *, apply: bool = False) -> TagMigration:
    """Take the tags over for which the same source has none yet.

    Args:
        by: the owner, whose file it is.
        apply: write them; otherwise only say what would be done.

    Raises:
        InvalidInputError: the writer is not the owner.
    """
    check_owner(by, "tags")
    if not apply:
        with reading(by.store) as conn:
            return TagMigration(_new(conn, tags), is_applied=False)
    with writing(by.store) as conn:
        new, now = _new(conn, tags), by.clock()
        for tag in new:
            if tag.dimension is not None and tag.value is not None:
                set_tag(conn, by, tag.dimension, tag.value, tag.source, now)
    return TagMigration(new, is_applied=True)


def _new(conn: Connection, tags: Sequence[RenamedTag]) -> tuple[RenamedTag, ...]:
    """Return the tags, those left out that have a place already, there or in the file."""
    taken: dict[tuple[str | None, str], str] = {
        (tag.dimension, tag.source): tag.label for tag in tag_rows.current(conn)
    }
    new = []
    for tag in tags:
        place = tag.dimension, tag.source
        if not tag.left_out and place in taken:
            why = f"{tag.dimension} is {taken[place]} already, as {_SAID[tag.source]}"
            tag = replace(tag, dimension=None, value=None, left_out=why)
        elif not tag.left_out:
            taken[place] = tag.given
        new.append(tag)
    return tuple(new)


_SAID: Final[Mapping[str, str]] = {
    "user": "you declared",
    "learned_preference": "a preference says",
    "inferred": "was concluded",
}


def _masked(tag: RenamedTag) -> RenamedTag:
    return replace(tag, name=mask(tag.name)[:60], given=mask(tag.given)[:60])
