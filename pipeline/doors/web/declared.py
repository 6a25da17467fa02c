"""The pages and actions that areas declare, and which page shows a thing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from afterword.pipeline.core.area import Area, AreaAction, AreaPage, in_order
from afterword.pipeline.views.cells import Ref

OWN_PATHS: Final = ("login", "logout", "static")
"""First parts of the paths that the frame serves itself."""

_PART: Final = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True)
class DeclaredPages:
    """All pages, in their order, and all actions."""

    pages: Sequence[AreaPage]
    actions: Sequence[AreaAction]

    def is_own(self, path: str) -> bool:
        """Return whether a path is one of the site: its first part decides."""
        first = path.removeprefix("/").partition("/")[0]
        paths = [*(page.path for page in self.pages), *(action.path for action in self.actions)]
        return path == "/" or first in {*OWN_PATHS, *map(_first_part, paths)} - {""}

    def page_of(self, ref: Ref) -> str | None:
        """Return the path of the page of a thing; None if no page shows such things.

        The key of a `page` is a path itself.
        """
        if ref.kind == "page":
            return ref.key
        for page in self.pages:
            if page.shows == ref.kind:
                return _PART.sub(lambda _part: quote(ref.key, safe=""), page.path)
        return None

    def callers_of_action(self, path: str) -> Sequence[str]:
        """Return the roles that may send a form to a path.

        Raises:
            LookupError: no area declares the action.
        """
        for action in self.actions:
            if re.fullmatch(_PART.sub("[^/]+", action.path), path):
                return action.callers.split()
        raise LookupError(f"no area declares the action {path}")


def declared_pages(areas: Iterable[Area]) -> DeclaredPages:
    """Return the pages and actions of some areas."""
    areas = list(areas)
    actions = [action for area in areas for action in area.actions]
    return DeclaredPages(in_order(areas, lambda area: area.pages), actions)


def _first_part(path: str) -> str:
    return path.removeprefix("/").partition("/")[0]
