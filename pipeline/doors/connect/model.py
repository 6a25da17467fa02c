"""What a client declares to be connected, and what an edit of its files can do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from afterword.pipeline.gateway.access.model import IssuedToken
from afterword.pipeline.views.blocks import Block

if TYPE_CHECKING:
    from afterword.pipeline.settings import Settings

EditState = Literal["missing", "current", "outdated", "changed", "taken"]
"""`missing`: not there. `current`: as it should be. `outdated`: as we wrote it, and we would write
it otherwise now. `changed`: somebody changed what we wrote. `taken`: somebody else's stands there.
"""

EditMark = Mapping[str, str]
"""What the record keeps of an edit, so that it is recognized and removed."""


class PreparedEdit(NamedTuple):
    """An edit that is about to be written: first its mark is kept, then it is written."""

    mark: EditMark
    write: Callable[[], None]


class ClientEdit(Protocol):
    """One change of a client's files."""

    @property
    def place(self) -> str:
        """What it changes, such as the path of a file; the record knows it by this name."""

    def shown(self) -> str:
        """Return the text that it writes, without secrets."""

    def look(self, mark: EditMark | None) -> EditState:
        """Return how it stands now; it reads only.

        Args:
            mark: of the edit as it was written before; None if it never was.

        Raises:
            InvalidInputError: the file cannot be read, or not be written.
        """

    def prepare(self, mark: EditMark | None) -> PreparedEdit:
        """Return how to write it; asked for what is missing or outdated only."""

    def remove(self, mark: EditMark) -> bool:
        """Remove what was written; False, with nothing done, if somebody changed it since."""


class ClientTokens(Protocol):
    """The tokens of clients."""

    def issue(self, group: str, label: str) -> IssuedToken:
        """Return a new agent's token of a group."""

    def revoke(self, token_id: int) -> None:
        """End a token; one that is gone is no fault."""

    def is_live(self, token_id: int) -> bool:
        """Return whether a token opens the door."""

    def last_session(self, group: str, token_id: int) -> datetime | None:
        """Return when a token last began a session; None if it never did."""


@dataclass(frozen=True, slots=True)
class ConnectTarget:
    """What is connected with what.

    Args:
        folder: the client's own folder, such as `~/.hermes`.
        url: of `afterword serve`, such as `http://127.0.0.1:8765`.
        group: whose memory it is.
        user: in a client with several users, the one whose memory it is; empty for the one who
            started the client.
        settings: of this process.
        program: the command that starts Afterword, such as `/usr/bin/afterword`.
        tokens: issues the client's token.
    """

    folder: Path
    url: str
    group: str
    user: str
    settings: "Settings"
    program: str
    tokens: ClientTokens


class ConnectCheck(NamedTuple):
    """One thing that was looked at.

    Args:
        holds: None if it cannot be known.
    """

    name: str
    holds: bool | None
    said: str


class ClientPlug(Protocol):
    """A client that can be connected."""

    @property
    def name(self) -> str:
        """The word of the command, such as `hermes`."""

    @property
    def title(self) -> str:
        """What it is called, such as `Hermes Agent`."""

    @property
    def folder_variable(self) -> str:
        """The environment variable that names its folder; empty if none does."""

    @property
    def default_folder(self) -> str:
        """Its folder below the user's home otherwise; empty for the present folder."""

    @property
    def has_users(self) -> bool:
        """Whether it can have several users, each with a memory of their own."""

    def edits(self, target: ConnectTarget) -> Sequence[ClientEdit]:
        """Return what connecting it changes, in this order; removing goes backwards."""

    def checks(self, target: ConnectTarget) -> Sequence[ConnectCheck]:
        """Return what only this client can tell, such as whether it has loaded us."""

    def advice(self, target: ConnectTarget) -> Sequence[Block]:
        """Return what its user does next."""
