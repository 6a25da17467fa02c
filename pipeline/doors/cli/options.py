"""Options that commands of several groups take, each declared once; a group has its own beside."""

from pathlib import Path
from typing import Annotated, Any

import typer

AsOf = Annotated[
    str | None,
    typer.Option(metavar="MOMENT", help="As it was known then, such as 2026-01-05T00:00:00Z."),
]
HappenedAt = Annotated[str | None, typer.Option(metavar="MOMENT", help="When; now if missing.")]

OnlyAccount = Annotated[str | None, typer.Option("--account", help="Only this account.")]
OnlyAsset = Annotated[
    str | None, typer.Option("--asset", help="Only this asset, in any written form: SOL.")
]
HtmlPage = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write it as one HTML page, too.")
]
LinesFile = Annotated[
    Path | None,
    typer.Option("--file", help="Instead: a JSON object a line, all or none; - is standard input."),
]
RecordKey = Annotated[
    str | None,
    typer.Option("--key", help="A name for this record; a second one with it adds nothing."),
]
Note = Annotated[str, typer.Option("--note", help="The reason, for other operators.")]


def most_shown(noun: str, most: int, *, is_checked: bool = True) -> Any:
    """Return the option that limits a list, for `Annotated[int, most_shown("rows", 100)]`.

    Args:
        noun: what the list holds, in the plural.
        most: the greatest limit that is accepted.
        is_checked: whether the verb refuses another one; if not, typer does, and shows the range.
    """
    if is_checked:
        return typer.Option("--limit", help=f"Most {noun} shown, up to {most:,}.")
    return typer.Option("--limit", help=f"Most {noun} shown.", min=1, max=most)
