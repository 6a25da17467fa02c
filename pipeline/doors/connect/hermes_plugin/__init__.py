"""Afterword as the memory of Hermes Agent: a client of `afterword serve`.

`afterword connect hermes` copies this folder to `$HERMES_HOME/plugins/afterword`. It runs in the
Python of Hermes, so it needs the standard library alone, and names its own files relatively.

Reading order: `provider` (what Hermes calls), `who` (whose memory a session may use),
`memory_session` (a session of ours for one of Hermes), `turn` (a turn as it is stored), `recall`
(what was found, as text), `wire` (one request, with a deadline).
"""

from typing import Any


def register(ctx: Any) -> None:
    """Give Hermes the provider; its loader calls this."""
    from .provider import AfterwordProvider

    ctx.register_memory_provider(AfterwordProvider())
