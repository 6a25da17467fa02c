"""Options and arguments that name a memory, or say which memories are meant."""

from typing import Annotated

import typer

MemoryName = Annotated[str, typer.Argument(metavar="ID", help="A memory's number, or its uid.")]
SearchQuery = Annotated[str, typer.Argument(metavar="QUERY", help="Words, or a question.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A tag; may be repeated.")]

OnlyCategory = Annotated[
    str | None, typer.Option("--category", help="Only memories of this category.")
]
OnlyType = Annotated[str | None, typer.Option("--type", help="Only entries of this type.")]
OnlyTags = Annotated[
    list[str] | None, typer.Option("--tag", help="Only with this tag; repeated: with all.")
]
OnlySession = Annotated[
    str | None, typer.Option("--session-id", help="Only what was said in this session.")
]
After = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="Only what happened then or later.")
]
Before = Annotated[str | None, typer.Option(metavar="MOMENT", help="Only what happened earlier.")]
Superseded = Annotated[
    bool, typer.Option("--include-superseded", help="Also what was replaced since.")
]


def memory_name(written: str) -> str | int:
    """Return the number or the uid of a memory, a decision or an entry, as it was typed."""
    is_number = written.isascii() and written.isdigit() and len(written) < 19
    return int(written) if is_number else written
