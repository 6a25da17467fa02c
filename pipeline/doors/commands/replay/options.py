"""Options that several commands of `afterword replay` have."""

from typing import Annotated

import typer

Since = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="Leave out what is decided before.")
]
Until = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="End there; else with the prices.")
]
ReplayName = Annotated[
    str, typer.Argument(metavar="NAME", help="The replay's name, such as sol-2020.")
]
SliceDays = Annotated[
    int,
    typer.Option("--slice", metavar="DAYS", min=1, max=3_660, help="Simulated days of one write."),
]
KnownUntil = Annotated[
    str | None, typer.Option(metavar="DATE", help="The last day that the model may know.")
]
