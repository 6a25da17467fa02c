"""A group that lived a little: made once, and copied for each test."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from tests.unit.portability.lived import Lived


@pytest.fixture
def ids() -> IdSource:
    """Return ids that no other test has: the group was made with others."""
    return random_uid


@pytest.fixture(scope="session")
def lived_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home of a group that lived a little."""
    home, clock = tmp_path_factory.mktemp("lived") / "home", ManualClock()
    with closing(Stores(home, StoreOptions(), clock, random_uid)) as stores:
        owner = Writer(stores.group("main", create=True), clock, random_uid, "owner")
        Lived(Command(home, clock, random_uid), stores, owner, home.parent).live()
    return home


@pytest.fixture
def home(lived_home: Path, tmp_path: Path) -> Iterator[Path]:
    """Return a copy of that home."""
    yield Path(shutil.copytree(lived_home, tmp_path / "home"))


@pytest.fixture
def lived(command: Command, stores: Stores, owner: Writer, tmp_path: Path) -> Lived:
    return Lived(command, stores, owner, tmp_path)
