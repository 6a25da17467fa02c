"""Events for logs and metrics. No behaviour depends on them.

Reading order: this file (`emit`, `listen`), `levels` (log level of each event), `log` (log lines),
`numbers` (how numbers of a group are read for metrics), `area` (the settings).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Listener = Callable[[str, dict[str, Any]], None]

_listeners: list[Listener] = []
_muted: ContextVar[tuple[str, ...]] = ContextVar("muted", default=())


def emit(action: str, **facts: Any) -> None:
    """Pass an event to every listener.

    Args:
        action: a stable name of two words, such as `store.wrote`; logs are filtered by it.
        facts: details of the event, with units in their names (`seconds`, `wal_bytes`); ids and
            counts, never stored text.
    """
    if (muted := _muted.get()) and action.startswith(muted):
        return
    for listener in _listeners:
        listener(action, facts)


def listen(listener: Listener) -> Callable[[], None]:
    """Add a listener and return the function that removes it again."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


@contextmanager
def muting(*beginnings: str) -> Iterator[None]:
    """Emit no event whose name begins so, in this thread, until the end of the block.

    Args:
        beginnings: first parts of names, such as `role.`.
    """
    before = _muted.set(beginnings)
    try:
        yield
    finally:
        _muted.reset(before)
