"""What every client is tried with: a server, and a model that says what a test tells it."""

from collections.abc import Iterator

import pytest

from afterword.pipeline.testing.chat_server import ChatServer
from afterword.pipeline.testing.network_door import NetworkDoor


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NetworkDoor]:
    with NetworkDoor(tmp_path_factory.mktemp("served") / "home") as door:
        yield door


@pytest.fixture(scope="module")
def model() -> Iterator[ChatServer]:
    with ChatServer() as model:
        yield model
