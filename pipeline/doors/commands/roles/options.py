"""Options and arguments that several commands of `afterword role` take."""

from typing import Annotated

import typer

Which = Annotated[str, typer.Argument(metavar="ID", help="A decision's uid, or its number.")]
AsOf = Annotated[str | None, typer.Option(metavar="MOMENT", help="As it was known then.")]
