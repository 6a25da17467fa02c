"""Tags of the user: which count, what was changed, what a migration takes over."""

from collections.abc import Sequence
from typing import Any, Final

from afterword.pipeline.domain.profile.migrate import TagMigration
from afterword.pipeline.domain.profile.model import UserTag
from afterword.pipeline.domain.profile.tags import effective_tags
from afterword.pipeline.rules.user_tags.first_version import RenamedTag
from afterword.pipeline.rules.user_tags.schema import (
    TAG_DIMENSIONS,
    TagSource,
    parse_stored_tag_value,
    render_tag_schema,
    tag_label,
)
from afterword.pipeline.views.blocks import Detail, Items, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.words import moment, one_line

SAID_BY: Final[dict[TagSource, str]] = {
    "user": "you",
    "learned_preference": "a learned preference",
    "inferred": "concluded",
}
"""Who says a tag, as its owner reads it."""


def tag_facts(tags: Sequence[UserTag]) -> list[dict[str, Any]]:
    """Return tags as a program reads them, with what they are called and which count."""
    effective = effective_tags(tags)
    return [
        {
            "dimension": tag.dimension,
            "value": parse_stored_tag_value(tag.dimension, tag.value),
            "label": tag.label,
            "source": tag.source,
            "since": tag.since,
            "counts": effective[tag.dimension] is tag,
        }
        for tag in tags
    ]


def tag_table(tags: Sequence[UserTag]) -> Table:
    """Return the tags of each dimension and source; the first of a dimension counts."""
    effective = effective_tags(tags)
    rows = [
        (
            Ref(tag.dimension, "user tag", tag.dimension),
            tag.label,
            SAID_BY[tag.source],
            moment(tag.since),
            "yes" if effective[tag.dimension] is tag else "no",
        )
        for tag in tags
    ]
    columns = ("dimension", "value", "said by", "since", "counts")
    return Table(columns, rows, "no tags yet: `afterword profile onboard` asks for four")


def tag_title(dimension: str) -> str:
    """Return what the page of a dimension is called."""
    return f"Tag: {dimension.replace('_', ' ')}"


def tag_choices(tags: Sequence[UserTag]) -> View:
    """Return every dimension with the value that counts; a page leads to where it is declared."""
    effective = effective_tags(tags)
    rows: list[list[Cell]] = []
    for dimension in TAG_DIMENSIONS:
        counts = effective.get(dimension)
        said = ("", "") if counts is None else (counts.label, SAID_BY[counts.source])
        rows.append([Ref(dimension, "user tag", dimension), *said])
    return View([Detail("Declare a tag", [Table(("dimension", "counts", "said by"), rows)])])


def tag_list(tags: Sequence[UserTag]) -> View:
    """Return the tags below each other."""
    return View([tag_table(tags)])


def tag_values() -> View:
    """Return the values that each dimension may have."""
    return View([Items(render_tag_schema().splitlines())])


def tag_set(dimension: str, stored: str, *, is_changed: bool) -> View:
    """Return what declaring a tag did."""
    label = tag_label(dimension, stored)
    words = f"{dimension} is {label} now" if is_changed else f"{dimension} was {label} already"
    return View([Paragraph(words)])


def tag_cleared(dimension: str, tags: Sequence[UserTag]) -> View:
    """Return what counts of a dimension, now that nothing is declared of it."""
    left = effective_tags(tags).get(dimension)
    words = f"{dimension} is not declared any more"
    if left is not None:
        words += f"; {left.label} counts ({SAID_BY[left.source]})"
    return View([Paragraph(words)])


def tag_migration(migration: TagMigration) -> View:
    """Return what a migration takes over, and what it leaves out for which reason."""
    rows = [_migrated(tag) for tag in migration.tags]
    count = len(migration.taken_over)
    did = "were taken over" if migration.is_applied else "would be taken over; --apply does it"
    end = Paragraph(f"{count} of {len(migration.tags)} tags {did}")
    return View([Table(("tag", "value", "said by", "becomes"), rows, "no tags in the file"), end])


def _migrated(tag: RenamedTag) -> tuple[str, ...]:
    becomes = f"left out: {tag.left_out}"
    if tag.dimension is not None and tag.value is not None:
        becomes = f"{tag.dimension}: {tag_label(tag.dimension, tag.value)}"
    return one_line(tag.name), one_line(tag.given), SAID_BY[tag.source], one_line(becomes)
