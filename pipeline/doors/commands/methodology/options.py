"""Options and arguments that several commands of `afterword methodology` take."""

from typing import Annotated

import typer

MethodName = Annotated[
    str, typer.Argument(metavar="METHOD", help="Its id, or its number in the list.")
]
