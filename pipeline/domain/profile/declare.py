"""Set and clear a tag: only the owner declares, and only the program concludes."""

from collections.abc import Iterable

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile import tag_rows
from afterword.pipeline.domain.profile.onboarding import change_answer, withdraw_answer
from afterword.pipeline.domain.profile.tags import set_tag
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.rules.user_tags.schema import (
    TAG_SOURCES,
    TagSource,
    allowed_values,
    serialize_tag_value,
)


def upsert_tag(
    by: Writer, dimension: str, value: str | Iterable[str], source: TagSource = "user"
) -> bool:
    """Set what a source says of a dimension; its value until now stays readable as of its time.

    Where the owner answered the same question before, the memory of that answer is superseded.

    Args:
        by: the owner for `user`, the system for the other sources.
        value: one of the list, in its own letters; of `markets` some of them.

    Returns:
        Whether it changed; an equal value keeps the row it has.

    Raises:
        InvalidInputError: no such dimension, value or source, or another writer's source.
    """
    stored = serialize_tag_value(dimension, value)
    check_tag_source(by, source)
    with writing(by.store) as conn:
        now = by.clock()
        if source == "user":
            change_answer(conn, by, dimension, stored, now)
        return set_tag(conn, by, dimension, stored, source, now)


def check_tag_source(by: Writer, source: str) -> None:
    """Refuse a source that the writer may not speak for: only the owner declares.

    Raises:
        InvalidInputError: no such source, or another writer's.
    """
    check_word(source, TAG_SOURCES, "source")
    if (source == "user") != (by.actor == "owner") or by.actor == "agent":
        accepted = "user from the owner, the others from the program"
        raise InvalidInputError("source", f"may not be {source} from the {by.actor}", accepted)


def clear_tag(by: Writer, dimension: str) -> None:
    """End what the owner declared of a dimension, so that what was concluded counts again.

    The memory of an answer that declared it is deleted, softly.

    Raises:
        InvalidInputError: no such dimension, or the writer is not the owner.
        NotFoundError: nothing is declared of it.
    """
    allowed_values(dimension)
    check_tag_source(by, "user")
    with writing(by.store) as conn:
        now = by.clock()
        row_id = tag_rows.end(conn, dimension, "user", to_micros(now))
        if row_id is None:
            raise NotFoundError(f"{dimension} is not declared; see `afterword profile tags ls`")
        touched = ChangedRow(row_id, by.session, {"dimension": dimension})
        record(conn, now, by.actor, "user_tag.clear", "user_tags", [touched])
        withdraw_answer(conn, by, dimension, now)
