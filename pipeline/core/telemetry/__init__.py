"""Events for logs and metrics. No behaviour depends on them.

Reading order: this file (`emit`, `listen`), `levels` (log level of each event), `log` (log lines),
`area` (the settings).
"""

from collections.abc import Callable
from typing import Any

Listener = Callable[[str, dict[str, Any]], None]

_listeners: list[Listener] = []


def emit(action: str, **facts: Any) -> None:
    """Pass an event to every listener.

    Args:
        action: a stable name of two words, such as `store.wrote`; logs are filtered by it.
        facts: details of the event, with units in their names (`seconds`, `wal_bytes`); ids and
            counts, never stored text.
    """
    for listener in _listeners:
        listener(action, facts)


def listen(listener: Listener) -> Callable[[], None]:
    """Add a listener and return the function that removes it again."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)
