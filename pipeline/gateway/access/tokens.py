"""Issue, find, list and revoke tokens; one table for all processes."""

from hashlib import sha256
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.store.names import checked_group
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.gateway.access import rows
from afterword.pipeline.gateway.access.model import (
    CALLER_ROLES,
    AccessToken,
    CallerRole,
    IssuedToken,
)
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

MAX_TOKEN_LABEL: Final = 100
"""Length limit of what a token is called; characters."""

MAX_TOKEN_TEXT: Final = 200
"""Longer than any token: `aw_`, a name of up to 64 characters, `_` and 64 digits."""


class AccessTokens:
    """The tokens of one installation.

    Args:
        store: its `instance.sqlite`.
        clock: the present.
        ids: two of them are a secret; in production they cannot be guessed.
    """

    def __init__(self, store: Store, clock: Clock, ids: IdSource) -> None:
        self._store, self._clock, self._ids = store, clock, ids

    @property
    def path(self) -> Path:
        """The file of the tokens."""
        return self._store.path

    def issue(self, role: CallerRole, group: str | None = None, label: str = "") -> IssuedToken:
        """Make a token; its text is returned here and nowhere else.

        Args:
            group: the group of an agent, which need not exist yet; none for another role.
            label: what it is for; one line.

        Raises:
            InvalidInputError: the role, the group or the label.
        """
        if role not in CALLER_ROLES:
            accepted = ", ".join(CALLER_ROLES)
            raise InvalidInputError("role", f"{str(role)!a:.60} is unknown", accepted)
        if (role == "agent") != (group is not None):
            problem = "is missing" if group is None else f"was given for an {role}"
            raise InvalidInputError("group", problem, "the group of an agent, and of nobody else")
        if group is not None:
            checked_group(group)
        if len(label) > MAX_TOKEN_LABEL:
            accepted = f"text of up to {MAX_TOKEN_LABEL} characters"
            raise InvalidInputError("label", f"has {len(label)} characters", accepted)
        told = f"aw_{group or role}_{self._ids()}{self._ids()}"
        shown = one_line(mask(label), MAX_TOKEN_LABEL)
        with writing(self._store) as conn:
            token = rows.add(conn, digest_of(told), role, group, shown, self._clock())
        emit("token.issued", token=token.id, role=role, token_group=group or "")
        return IssuedToken(token, told)

    def find(self, told: str) -> AccessToken | None:
        """Return the token with a text; None if there is none, or it was revoked.

        The digest is looked up, so neither the answer nor its time depends on how much of the text
        is right, or on whether a group exists.
        """
        if len(told) > MAX_TOKEN_TEXT:
            return None
        with reading(self._store) as conn:
            return rows.find_live(conn, digest_of(told))

    def all(self) -> list[AccessToken]:
        """Return every token, oldest first; the revoked ones, too."""
        with reading(self._store) as conn:
            return rows.read_all(conn)

    def check_any(self) -> None:
        """Refuse to open a door for which nobody has a token.

        Raises:
            InvalidInputError: there is no live token.
        """
        with reading(self._store) as conn:
            if rows.has_live(conn):
                return
        accepted = "a token, which `afterword token issue owner` makes"
        raise InvalidInputError("token", "nobody has one", accepted)

    def revoke(self, token_id: int) -> AccessToken:
        """Let a token open nothing from now on; repeated, it changes nothing.

        Raises:
            NotFoundError: there is no such token.
        """
        with writing(self._store) as conn:
            token = rows.revoke(conn, token_id, self._clock())
        if token is None:
            raise NotFoundError(f"there is no token {token_id}; `afterword token ls` lists them")
        emit("token.revoked", token=token.id)
        return token


def digest_of(told: str) -> str:
    """Return what is kept of a token's text."""
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
