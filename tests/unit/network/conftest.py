"""Network doors for the tests of a file."""

from collections.abc import Iterator

import pytest

from afterword.pipeline.testing.network_door import NetworkDoor
from tests.unit.network.desk import Desk


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NetworkDoor]:
    with NetworkDoor(tmp_path_factory.mktemp("served") / "home") as door:
        yield door


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A door over a home with some rows of everything."""
    home = tmp_path_factory.mktemp("served") / "home"
    with NetworkDoor(home, autostart=False, token_daily_writes=10_000) as door:
        desk = Desk(door)
        desk.fill()
        yield desk
