"""Options that several commands of `afterword replay` have."""

from pathlib import Path
from typing import Annotated

import typer

Prices = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="Bars; may be given several times.")
]
Factors = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="Factor file with a market's splits.")
]
Since = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="Leave out what is decided before.")
]
Until = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="End there; else with the prices.")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The replay's name, such as sol-2020.")]
Slice = Annotated[
    int,
    typer.Option("--slice", metavar="DAYS", min=1, max=3_660, help="Simulated days of one write."),
]
