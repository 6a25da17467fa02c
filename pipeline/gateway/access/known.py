"""The tokens that called lately, kept for as long as nothing is written in their file."""

from contextlib import suppress
from typing import Any, Final

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.opening import open_raw
from afterword.pipeline.gateway.access.model import AccessToken
from afterword.pipeline.gateway.access.tokens import AccessTokens, digest_of

MOST_KNOWN: Final = 1_024
"""Tokens that are kept at once (count); any other is looked up each time."""

Version = tuple[object, int] | None
"""Differs from an earlier one if the file was written in between; None if it cannot be read now."""


class KnownTokens:
    """Finds live tokens in microseconds; every commit in their file makes it forget them all.

    A revocation is such a commit, so it holds at once in every process. Use it in one thread.

    Args:
        tokens: the tokens in the file.
    """

    def __init__(self, tokens: AccessTokens) -> None:
        self._tokens = tokens
        self._conn: Any = None
        self._version: Version = None
        self._known: dict[str, AccessToken] = {}

    def version(self) -> Version:
        """Return the version of the file, and forget what is known of another one.

        It never waits for a lock, so a loop of events may call it.
        """
        version: Version = None
        try:
            if self._conn is None:
                self._conn = open_raw(self._tokens.path, "mode=ro", timeout_s=0)
            version = self._conn, self._conn.execute("PRAGMA data_version").fetchone()[0]
        except dbapi.Error:
            self.close()
        if version is None or version != self._version:
            self._known.clear()
        self._version = version
        return version

    def find(self, told: str) -> AccessToken | None:
        """Return the token with a text if it is known and live; None where `look_up` must say."""
        return self._known.get(digest_of(told)) if self.version() else None

    def look_up(self, told: str) -> AccessToken | None:
        """Return the token with a text, read from the file; any thread may call it."""
        return self._tokens.find(told)

    def keep(self, told: str, token: AccessToken, version: Version) -> None:
        """Keep a live token, unless the file was written since the version before its look-up."""
        if version and version == self.version() and len(self._known) < MOST_KNOWN:
            self._known[digest_of(told)] = token

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        if self._conn is not None:
            with suppress(dbapi.Error):
                self._conn.close()
            self._conn = None
