"""`afterword demo`: run the demo in a folder of its own, and print its page."""

import tempfile
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store.failures import answered
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.global_options import given
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.open_pages import show_pages
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.ids import random_uid
from afterword.schedules.demo.report_view import demo_view
from afterword.schedules.demo.run import NOW, run_demo
from afterword.schedules.up import Up
from afterword.workers.worker.app import build_context

OFFLINE: Final[dict[str, Any]] = {
    "redis_url": "",
    "embedding_provider": "disabled",
    "llm_provider": "disabled",
    "role_judge": "heuristic",
    "price_source": "disabled",
}
"""Settings of the demo, stronger than the environment: no server, no network, no cost."""


def demo(
    ctx: typer.Context,
    opens: Annotated[
        bool, typer.Option("--open", help="Then open its pages in a browser, until Ctrl-C.")
    ] = False,
) -> None:
    """Show on real prices what Afterword does: one page, no network.

    Example: afterword demo --home demo
    """
    call = Call(ctx)
    home = _new_home(given(ctx, "home"))
    settings = call.settings.model_copy(update=OFFLINE | {"home": home})
    with Up(build_context(settings, clock=lambda: NOW), table=()) as up, progress() as on_progress:
        report = run_demo(up, on_progress, monotonic, random_uid)
    call.answer(report, lambda: demo_view(report))
    if not call.json:
        group = f" AFTERWORD_GROUP={settings.group}" if call.named_group else ""
        # On stderr, because stdout is the same on every run.
        typer.echo(f"\nIts files are in {home}; before you try these commands, run\n", err=True)
        typer.echo(f"  export AFTERWORD_HOME={home}{group}", err=True)
    if opens:
        show_pages(settings, call.roots, "owner", opens=True)


def _new_home(named: Path | None) -> Path:
    """Return the folder of the demo: the named one if it is empty, or a temporary one.

    Raises:
        InvalidInputError: it is not empty; trades of the demo must not mix with a user's own.
        UnavailableError: it cannot be read, or no temporary folder can be made.
    """
    if named is None:
        try:
            return Path(tempfile.mkdtemp(prefix="afterword-demo-"))
        except OSError as error:
            raise UnavailableError(
                f"no temporary folder can be made ({error.strerror}); name one with --home"
            ) from None
    home = named.expanduser().absolute()
    with answered(home):
        is_empty = not home.exists() or (home.is_dir() and not any(home.iterdir()))
    if not is_empty:
        raise InvalidInputError(
            "home",
            f"{home} is not an empty folder",
            "a new or empty folder for the demo, or no --home for a temporary one",
        )
    return home
