"""Close the file of a replay after each of its jobs, so that its owner can remove it."""

from typing import Any

from dramatiq import Broker, Middleware

from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.names import replay_at


class ReplayFiles(Middleware):
    """Keeps no file of a replay open: `afterword replay rm` refuses one that a process has open.

    The files of groups stay open between jobs, since groups are not removed.
    """

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def after_process_message(
        self, broker: Broker, message: Any, *, result: Any = None, exception: Any = None
    ) -> None:
        """Close the file of the message, if it is a replay's."""
        self._close(message)

    def after_skip_message(self, broker: Broker, message: Any) -> None:
        """Close the file of the message, if it is a replay's."""
        self._close(message)

    def _close(self, message: Any) -> None:
        address = message.args[0]
        if replay_at(address) is not None:
            self._stores.discard(address)
