"""The context of one command: settings, files, the present, and a way to print the answer."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

import typer

from afterword.pipeline.clock import Clock, system_clock
from afterword.pipeline.core.files.temporary import delete_left_over
from afterword.pipeline.core.store import Store, Stores, options_of
from afterword.pipeline.core.store.names import checked_group_in, group_path
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.doors.cli.global_options import given
from afterword.pipeline.doors.cli.page_file import write_page
from afterword.pipeline.doors.render.screen import this_screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.doors.render.values import print_json
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.settings import Settings, load
from afterword.pipeline.views.blocks import Block, Paragraph, View


class _Closing(Protocol):
    def close(self) -> object: ...


_Closed = TypeVar("_Closed", bound=_Closing)


@dataclass(frozen=True, slots=True)
class Roots:
    """Values that only a composition root chooses; a test passes others."""

    clock: Clock = system_clock
    ids: IdSource = random_uid


class Call:
    """One call of a command.

    Args:
        ctx: typer's context; files opened through the call are closed with it.

    Raises:
        InvalidInputError: an argument contains bytes that cannot be stored or printed.
    """

    def __init__(self, ctx: typer.Context) -> None:
        for name, value in ctx.params.items():
            _check_characters(name, value)
        self._ctx = ctx
        self.roots: Roots = ctx.obj or Roots()
        self.json = bool(given(ctx, "json"))
        self.debug = bool(given(ctx, "debug"))

    @cached_property
    def settings(self) -> Settings:
        """The settings of this process, with the shared options applied."""
        settings = load(home=given(self._ctx, "home"), group=given(self._ctx, "group"))
        checked_group_in(settings.home, settings.group)  # before any folder is made
        return settings

    @property
    def named_group(self) -> str | None:
        """The group named on the command line, or None."""
        return None if given(self._ctx, "group") is None else self.settings.group

    @property
    def embeds(self) -> bool:
        """Whether an embedder is configured, so that writes add jobs for it."""
        return self.settings.embedding_provider != "disabled"

    def now(self) -> datetime:
        """Return the present."""
        return self.roots.clock()

    def stores(self, create: bool = False) -> Stores:
        """Return the installation's files; what killed commands left in temporary folders goes.

        Raises:
            NotFoundError: there is no installation, and `create` is False.
        """
        if not create:
            self.check_installed()
        delete_left_over()
        settings = self.settings
        stores = Stores(settings.home, options_of(settings), self.roots.clock, self.roots.ids)
        return self.closing(stores)

    def closing(self, resource: _Closed) -> _Closed:
        """Return a resource, which is closed when the command ends."""
        return self._ctx.with_resource(closing(resource))

    def check_installed(self) -> None:
        """Refuse to read an installation that does not exist; a read makes no files.

        Raises:
            NotFoundError: there is no installation in the home.
        """
        if not self.is_installed():
            raise NotFoundError(
                f"there is no installation in {self.settings.home}; the first write creates one, "
                "or set AFTERWORD_HOME to its folder"
            )

    def is_installed(self) -> bool:
        """Return whether the home holds an installation."""
        return (self.settings.home / "instance.sqlite").exists()

    def has_group(self) -> bool:
        """Return whether the group exists; a group named on the command line must exist."""
        path = group_path(self.settings.home, self.settings.group)
        return self.is_installed() and (bool(self.named_group) or path.exists())

    def store(self, create: bool = False) -> Store:
        """Return the file of this call's group.

        Raises:
            NotFoundError: the group does not exist, and `create` is False.
        """
        return self.stores(create).group(self.settings.group, create)

    def owner(self, create: bool = False) -> Writer:
        """Return the owner as a writer of the group this call is about.

        Raises:
            NotFoundError: there is no such group, and `create` is not set.
        """
        store = self.store(create)
        return Writer(store, self.roots.clock, self.roots.ids, "owner", embeds=self.embeds)

    def named_stores(self) -> list[Store]:
        """Return the file of the group named on the command line, or of every group."""
        stores = self.stores()
        names = [self.named_group] if self.named_group else stores.groups()
        return [stores.group(name) for name in names]

    def answer(
        self,
        value: Any,
        view: Callable[[], View],
        *,
        html: Path | None = None,
        after: Sequence[Block] = (),
    ) -> None:
        """Print the answer as one JSON document if requested, otherwise as text.

        Args:
            value: plain values, dataclasses, moments and paths, nested in any way.
            view: returns what is said of it.
            html: a file to write it to as a page, too; see `check_page`.
            after: what a text says below the view, such as what to do next; where a page was
                written and nothing is given, the file of it.
        """
        if html is None and self.json:
            print_json(value)
            return
        shown = view()
        if html is not None:
            from afterword.pipeline.doors.render.html import page  # few answers become one

            write_page(html, page(shown))
            after = after or [Paragraph(f"the page is in {html}")]
        if self.json:
            print_json(value)
        else:
            self.say(replace(shown, blocks=[*shown.blocks, *after]))

    def say(self, view: View) -> None:
        """Print a view as text: an answer, or what a question is about."""
        typer.echo(text(view, this_screen()), nl=False)


def _check_characters(name: str, value: Any) -> None:
    for word in value if isinstance(value, list | tuple) else (value,):
        if isinstance(word, str) and ("\0" in word or _has_half_character(word)):
            # A byte that the terminal's encoding does not know arrives as half a surrogate pair.
            raise InvalidInputError(
                name, "has a NUL or bytes that are not text", "complete Unicode characters"
            )


def _has_half_character(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
