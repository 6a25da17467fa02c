"""Show a progress bar with an estimate during long work on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Told = Callable[[str, int, int], None]
"""Receives the name of a part, the amount done and the total."""


@contextmanager
def progress() -> Iterator[Told]:
    """Show progress and the estimated time on the terminal's stderr."""
    if not sys.stderr.isatty():
        yield lambda _name, _done, _total: None
        return
    from rich.console import Console  # 50 ms that only a terminal needs
    from rich.progress import Progress, TaskID, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:-1], TimeRemainingColumn())
    bars: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:

        def report(name: str, done: int, total: int) -> None:
            if name not in bars:
                bars[name] = shown.add_task(name, total=total)
            shown.update(bars[name], completed=done, total=total)

        yield report
