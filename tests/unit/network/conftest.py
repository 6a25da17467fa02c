"""One network door for the tests of a file."""

from collections.abc import Iterator

import pytest

from afterword.pipeline.testing.network_door import NetworkDoor


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NetworkDoor]:
    with NetworkDoor(tmp_path_factory.mktemp("served") / "home") as door:
        yield door
