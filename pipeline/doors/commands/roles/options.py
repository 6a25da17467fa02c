"""Options and arguments that several commands of `afterword role` take."""

from typing import Annotated

import typer

DecisionName = Annotated[str, typer.Argument(metavar="ID", help="A decision's uid, or its number.")]
RoleOrAll = Annotated[str, typer.Argument(metavar="ROLE", help="One role; all if missing.")]
