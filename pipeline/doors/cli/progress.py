"""A bar with an estimate for long work, where a person is watching."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Told = Callable[[str, int, int], None]
"""Told the name of a part, how much of it is done, and how much there is."""


@contextmanager
def progress() -> Iterator[Told]:
    """Show on a terminal's stderr what is done and how long the rest will take."""
    if not sys.stderr.isatty():
        yield lambda _name, _done, _total: None
        return
    from rich.console import Console  # 50 ms that only a watched terminal should pay
    from rich.progress import Progress, TaskID, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:-1], TimeRemainingColumn())
    bars: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:

        def told(name: str, done: int, total: int) -> None:
            if name not in bars:
                bars[name] = shown.add_task(name, total=total)
            shown.update(bars[name], completed=done, total=total)

        yield told
