"""Lists page by page: an answer with its `next`, which the request for the next page sends back."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, TypeVar

from fastapi import Query

from afterword.pipeline.errors import InvalidInputError

AfterPage = Annotated[
    str | None,
    Query(description="The `next` of the page before, with the same other arguments."),
]

MAX_CURSOR_CHARS: Final = 400
_Item = TypeVar("_Item")
_MOST: Final = 2**53
"""The largest number of a place: microseconds and row ids stay far below, and JSON is exact."""


class ListPage:
    """One page of a list. Its cursor is the place of its last item, and which list that is.

    A cursor names a place and no offset: items that are added meanwhile move nothing.

    Args:
        name: of the items in the answer, such as `trades`.
        limit: items of a page at most.
        after: the cursor that the client sent.
        asked: whatever else decides which items are in the list, with its group.
    """

    def __init__(self, name: str, limit: int, after: str | None, *asked: object) -> None:
        self.limit = limit
        self._name, self._after = name, after
        self._list = sha256(repr((name, asked)).encode()).hexdigest()[:16]

    def place(self, *kinds: type) -> Any:
        """Return the place of the last item of the page before; None on the first page.

        Args:
            kinds: of its parts, as `answer` got them.

        Raises:
            InvalidInputError: the cursor is not one of this list.
        """
        if self._after is None:
            return None
        parts = _parts(self._after)
        if [type(part) for part in parts] != [str, *kinds] or parts[0] != self._list:
            raise InvalidInputError(
                "after", "does not belong to this list", "the `next` of the page before, unchanged"
            )
        if any(isinstance(part, int | float) and not -_MOST < part < _MOST for part in parts):
            raise InvalidInputError("after", "is out of range", "the `next` of the page before")
        return tuple(parts[1:])

    def answer(
        self, items: Sequence[_Item], place_of: Callable[[_Item], tuple[Any, ...]], **more: object
    ) -> dict[str, Any]:
        """Return the answer of the page; `next` is None after the last one.

        A full page has a `next`, also where nothing follows: that page is empty.

        Args:
            more: fields beside the items.
        """
        following = None
        if len(items) == self.limit:
            following = _cursor(self._list, *place_of(items[-1]))
        return {self._name: items, **more, "next": following}


def _cursor(*parts: str | float) -> str:
    return urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def _parts(cursor: str) -> list[Any]:
    """Return what a cursor holds; nothing of one that was not made here."""
    if len(cursor) > MAX_CURSOR_CHARS:
        return []
    try:
        parts = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, RecursionError):
        return []
    return parts if isinstance(parts, list) else []
