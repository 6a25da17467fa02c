"""Browsers that look at the pages: links that open one, sessions that end, and what was done."""

import hmac
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Final, Literal

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.gateway.access import page_rows
from afterword.pipeline.gateway.access.model import (
    PAGE_ROLES,
    AccessToken,
    PageAction,
    PageRole,
    PageSession,
)
from afterword.pipeline.ids import IdSource
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

LINK_S: Final = 120
"""How long a link may wait for its browser; seconds."""

HOME_HEADER: Final = "afterword-home"
"""Header of pages that says which installation answers, as `home_digest` names it."""

MAX_ACTION_WORDS: Final = 1_000
"""Characters of what is kept about an action."""

_MAX_SECRET: Final = 200
_SEEN_EVERY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A browser's session with the secret of its cookie, which is returned only here."""

    session: PageSession
    cookie: str


class PageSessions:
    """The browsers of one installation.

    Args:
        store: its `instance.sqlite`.
        ids: two of them are a secret; in production they cannot be guessed.
        idle: a session ends when it has asked for nothing so long.
        life: a session ends so long after it was opened.
    """

    def __init__(
        self, store: Store, clock: Clock, ids: IdSource, idle: timedelta, life: timedelta
    ) -> None:
        self._store, self._clock, self._ids = store, clock, ids
        self._idle, self._life = idle, life

    def make_link(self, role: PageRole) -> str:
        """Return the secret of a new link, which opens one browser within two minutes.

        Raises:
            InvalidInputError: the role looks at no pages.
        """
        if role not in PAGE_ROLES:
            accepted = ", ".join(PAGE_ROLES)
            raise InvalidInputError("role", f"{str(role)!a:.60} looks at no pages", accepted)
        secret, now = self._secret(), self._clock()
        until = now + timedelta(seconds=LINK_S)
        with writing(self._store) as conn:
            session = page_rows.add_link(conn, role, _digest(secret), until, now)
        emit("page.link_made", session=session.id, role=role)
        return secret

    def open_link(self, link: str) -> OpenedSession | None:
        """Use a link; None if it is unknown, was used, or is too old."""
        if len(link) > _MAX_SECRET:
            return None
        cookie = self._secret()
        with writing(self._store) as conn:
            session = page_rows.open_link(conn, _digest(link), _digest(cookie), self._clock())
        return self._opened(session, cookie)

    def open_token(self, token: AccessToken) -> OpenedSession | None:
        """Open a browser for a live token; None for the token of an agent."""
        if token.role == "agent":
            return None
        cookie = self._secret()
        with writing(self._store) as conn:
            session = page_rows.open_token(
                conn, token.role, token.id, _digest(cookie), self._clock()
            )
        return self._opened(session, cookie)

    def find(self, cookie: str) -> PageSession | None:
        """Return the live session of a cookie; None if there is none, or it has ended."""
        if not cookie or len(cookie) > _MAX_SECRET:
            return None
        now = self._clock()
        with reading(self._store) as conn:
            session = page_rows.find_live_session(
                conn, _digest(cookie), now - self._idle, now - self._life
            )
        if session is not None and session.seen_at and now - session.seen_at > _SEEN_EVERY:
            with writing(self._store) as conn:
                page_rows.see(conn, session.id, now)
        return session

    def all(self) -> list[PageSession]:
        """Return every browser, oldest first."""
        with reading(self._store) as conn:
            return page_rows.read_sessions(conn)

    def end(self, session_id: int) -> PageSession:
        """Let a browser see nothing from now on; repeated, it changes nothing.

        Raises:
            NotFoundError: there is no such session.
        """
        with writing(self._store) as conn:
            session = page_rows.end_session(conn, session_id, self._clock())
        if session is None:
            raise NotFoundError(
                f"there is no browser {session_id}; `afterword browsers ls` lists them"
            )
        emit("page.session_ended", session=session.id)
        return session

    def begin_action(self, session: PageSession, group: str, action: str) -> int:
        """Keep that an action is about to run; return its number."""
        with writing(self._store) as conn:
            return page_rows.begin_action(conn, session.id, group, mask(action), self._clock())

    def end_action(
        self, number: int, outcome: Literal["done", "refused", "failed"], words: str
    ) -> None:
        """Keep what came of an action; its first outcome stays."""
        shown = one_line(mask(words), MAX_ACTION_WORDS)
        with writing(self._store) as conn:
            page_rows.end_action(conn, number, outcome, shown)

    def action(self, number: int) -> PageAction | None:
        """Return one action; None if there is none."""
        with reading(self._store) as conn:
            return next(iter(page_rows.read_actions(conn, 1, number)), None)

    def actions(self, limit: int = 100) -> list[PageAction]:
        """Return what was done on pages, the newest first."""
        with reading(self._store) as conn:
            return page_rows.read_actions(conn, limit)

    def _secret(self) -> str:
        return f"{self._ids()}{self._ids()}"

    def _opened(self, session: PageSession | None, cookie: str) -> OpenedSession | None:
        if session is None:
            return None
        emit("page.session_opened", session=session.id, role=session.role)
        return OpenedSession(session, cookie)


def form_token(cookie: str) -> str:
    """Return what the forms of a browser carry, so that no other page can send one for it."""
    return hmac.digest(cookie.encode("utf-8", "surrogatepass"), b"form", "sha256").hex()


def home_digest(instance_id: str) -> str:
    """Return what names an installation to its own command, and tells nothing else."""
    return _digest(f"home {instance_id}")[:16]


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
