"""Wake idle consumers when a message arrives, so that they seldom poll Redis."""

import threading
from collections.abc import Callable
from contextlib import closing
from typing import Final

import redis
from redis.client import PubSub

LISTEN_S: Final = 1.0
"""Longest single wait for an announcement; it bounds how long a stop takes; seconds."""

RECONNECT_S: Final = 0.5
"""Pause before the next attempt after Redis did not answer; seconds."""


class Bell:
    """Subscribes to the channel that names queues with new messages, in a thread of its own.

    An announcement can be lost with a connection. So consumers also poll Redis: often while
    `is_heard` is False, seldom while it is True.

    Args:
        client: of the server that carries the messages.
        channel: where senders publish the name of a queue.
        ring: called with the name of a queue that has a message, or "" for all queues.

    Attributes:
        is_heard: whether this process is subscribed now.
    """

    def __init__(self, client: "redis.Redis", channel: str, ring: Callable[[str], None]) -> None:
        self._client, self._channel, self._ring = client, channel, ring
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bell", daemon=True)
        self.is_heard = False

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening, also if it was never started."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._listen()
            except redis.RedisError:  # consumers meet the same error and report it
                self._stop.wait(RECONNECT_S)
            finally:
                self.is_heard = False

    def _listen(self) -> None:
        heard: PubSub = self._client.pubsub(  # type: ignore[no-untyped-call]
            ignore_subscribe_messages=True
        )
        with closing(heard):
            heard.subscribe(self._channel)
            heard.get_message(timeout=LISTEN_S)  # the answer to the subscription
            self.is_heard = True
            self._ring("")  # for messages that were sent before the subscription
            while not self._stop.is_set():
                message = heard.get_message(timeout=LISTEN_S)
                if message is not None:
                    self._ring(message["data"].decode())
