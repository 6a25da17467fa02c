"""Find free ports of this machine."""

import socket

HIGHEST = 55_535
"""The cluster bus of a redis-server is 10,000 above its port, and must be a valid port too."""


def free_port() -> int:
    """Return a free loopback port."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if port <= HIGHEST:
            return port
