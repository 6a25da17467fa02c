"""Events that are only told: logs and metrics listen, and nothing is driven by them."""

from collections.abc import Callable
from typing import Any

Listener = Callable[[str, dict[str, Any]], None]

_listeners: list[Listener] = []


def emit(action: str, **facts: Any) -> None:
    """Tell every listener that something happened.

    Args:
        action: one stable dotted word, such as `store.write`; the field to filter logs by.
        facts: what a reader wants to know, units in the names (`seconds`, `wal_bytes`); ids and
            counts, never stored text.
    """
    for listener in _listeners:
        listener(action, facts)


def listen(listener: Listener) -> Callable[[], None]:
    """Add a listener and return the function that removes it again."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)
