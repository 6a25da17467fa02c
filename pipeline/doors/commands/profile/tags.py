"""`afterword profile tags`: what you declare of yourself, and what was concluded."""

from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.domain.profile.declare import clear_tag, upsert_tag
from afterword.pipeline.domain.profile.migrate import migrate_tags, read_first_version
from afterword.pipeline.domain.profile.tags import list_tags
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.doors.cli.text_file import read_text_file
from afterword.pipeline.rules.user_tags.schema import (
    LABELS,
    MARKETS_TAG,
    allowed_values,
    parse_stored_tag_value,
    serialize_tag_value,
)
from afterword.pipeline.views.memory.tags import (
    tag_cleared,
    tag_facts,
    tag_list,
    tag_migration,
    tag_set,
    tag_values,
)

app = section("List, declare and clear the tags of the user.")

_Dimension = Annotated[str, typer.Argument(metavar="DIMENSION", help="Such as risk.")]


@app.command("ls")
def list_(ctx: typer.Context, as_of: AsOf = None) -> None:
    """List the tags by dimension; what you declared counts before what was concluded.

    Example: afterword profile tags ls
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    tags = list_tags(call.store(), at)
    call.answer(tag_facts(tags), lambda: tag_list(tags))


@app.command()
def values(ctx: typer.Context) -> None:
    """List the values that each dimension may have.

    Example: afterword profile tags values
    """
    Call(ctx).answer(LABELS, tag_values)


@app.command("set")
def set_(
    ctx: typer.Context,
    dimension: _Dimension,
    value: Annotated[list[str], typer.Argument(metavar="VALUE", help="Of markets several.")],
) -> None:
    """Declare a tag; the value before stays readable as of its time.

    Example: afterword profile tags set risk conservative

    Example: afterword profile tags set markets crypto_majors memes
    """
    call = Call(ctx)
    allowed_values(dimension)
    several = dimension == MARKETS_TAG or len(value) > 1
    stored = serialize_tag_value(dimension, value if several else value[0])
    is_changed = upsert_tag(
        call.owner(create=True), dimension, parse_stored_tag_value(dimension, stored)
    )
    answer = {
        "dimension": dimension,
        "value": parse_stored_tag_value(dimension, stored),
        "changed": is_changed,
    }
    call.answer(answer, lambda: tag_set(dimension, stored, is_changed=is_changed))


@app.command()
def clear(ctx: typer.Context, dimension: _Dimension) -> None:
    """Take back what you declared, so that what was concluded counts again.

    Example: afterword profile tags clear risk
    """
    call = Call(ctx)
    allowed_values(dimension)
    owner = call.owner()
    clear_tag(owner, dimension)
    tags = list_tags(owner.store)
    call.answer({"dimension": dimension, "cleared": True}, lambda: tag_cleared(dimension, tags))


@app.command()
def migrate(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON of tags of version 1.")],
    apply: Annotated[
        bool, typer.Option("--apply", help="Write them; without this option, only show it.")
    ] = False,
) -> None:
    """Take over tags of the first version: what has no equal words today is left out.

    Example: afterword profile tags migrate tags.json
    """
    call = Call(ctx)
    tags = read_first_version(read_text_file(file, "file"))
    migration = migrate_tags(call.owner(create=apply), tags, apply=apply)
    call.answer(migration, lambda: tag_migration(migration))
