"""Announcements of new messages wake idle consumers, so that they seldom poll Redis."""

import threading
from collections.abc import Callable
from contextlib import closing
from typing import Final

import redis
from redis.client import PubSub

LISTEN_S: Final = 1.0
"""Longest single wait for an announcement; seconds. It limits how long a stop takes."""

RECONNECT_S: Final = 0.5
"""Pause after Redis did not answer; seconds."""


class Announcements:
    """Subscribes to the channel with the names of queues that have new messages, in its own thread.

    An announcement can be lost with a connection. So consumers also poll Redis: often while
    `is_subscribed` is False, seldom while it is True.

    Args:
        client: client of the server that carries the messages.
        channel: where senders publish the name of a queue.
        on_message: called with the name of a queue that has a message, or "" for all queues.

    Attributes:
        is_subscribed: whether this process is subscribed now.
    """

    def __init__(
        self, client: "redis.Redis", channel: str, on_message: Callable[[str], None]
    ) -> None:
        self._client, self._channel, self._on_message = client, channel, on_message
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announcements", daemon=True)
        self.is_subscribed = False

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening; safe if it was never started."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._listen()
            except redis.RedisError:  # consumers meet the same error and report it
                self._stop.wait(RECONNECT_S)
            finally:
                self.is_subscribed = False

    def _listen(self) -> None:
        channel: PubSub = self._client.pubsub(  # type: ignore[no-untyped-call]
            ignore_subscribe_messages=True
        )
        with closing(channel):
            channel.subscribe(self._channel)
            channel.get_message(timeout=LISTEN_S)  # the answer to the subscription
            self.is_subscribed = True
            self._on_message("")  # for messages that were sent before the subscription
            while not self._stop.is_set():
                message = channel.get_message(timeout=LISTEN_S)
                if message is not None:
                    self._on_message(message["data"].decode())
