"""Who looks at a page, about which group, and what its handler may use."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

from afterword.pipeline.core.store import one_transaction
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.doors.http.caller import GroupRequest
from afterword.pipeline.doors.render.html import Address
from afterword.pipeline.gateway.access.model import PageSession
from afterword.pipeline.gateway.access.pages import PageSessions
from afterword.pipeline.views.cells import Ref

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class PageCaller(GroupRequest):
    """A request of a browser.

    Args:
        session: the browser's.
        sessions: all browsers, and what was done in them.
        page_of: path of the page of a kind of thing; None if no page shows it.
    """

    session: PageSession
    sessions: PageSessions
    page_of: Callable[[Ref], str | None] = field(repr=False)

    @property
    def is_owner(self) -> bool:
        """Whether the browser may do something; an observer's only looks."""
        return self.session.role == "owner"

    def has_group(self) -> bool:
        """Return whether the group exists; nothing was ever written in one that does not."""
        return self.group in self.parts.stores.groups()

    def address(self, path: str, **query: str) -> str:
        """Return the address of a page about the same group.

        Args:
            query: what else it asks for; empty values are left out.
        """
        named = {name: value for name, value in query.items() if value}
        if self.group != self.settings.group:
            named["group"] = self.group
        return f"{path}?{urlencode(named)}" if named else path

    def resolve(self) -> Address:
        """Return what gives a view the addresses of the things that it refers to."""

        def address(ref: Ref) -> str | None:
            path = self.page_of(ref)
            return None if path is None else self.address(path, **ref.filters)

        return address

    def write(self, run: Callable[[], _Answer]) -> _Answer:
        """Run a verb that writes in the group, and see to it that the jobs it adds are done.

        All that it reads and writes is one transaction: what it finds unchanged stays so until its
        effect is there.
        """
        with one_transaction(self.owner().store):
            answer = run()
        self.parts.after_write(self.group)
        return answer

    def write_as_owner(self, run: Callable[[Writer], Any]) -> Any:
        """Run a verb of the owner that writes in the group; see `write`."""
        by = self.owner()
        return self.write(lambda: run(by))
