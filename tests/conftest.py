"""Fixtures every test may ask for: a fresh home, a clock that stands still, seeded ids."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

from pipeline.ids import IdSource, seeded_uids
from pipeline.store import Shelf, Store, StoreOptions
from pipeline.testing.clock import ManualClock

# A loaded machine is slow, not wrong.
hypothesis_settings.register_profile("afterword", deadline=None)
hypothesis_settings.load_profile("afterword")


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own AFTERWORD_* settings must not reach a test."""
    for name in list(os.environ):
        if name.startswith("AFTERWORD_") and name not in {
            "AFTERWORD_SHARED",
            "AFTERWORD_TEST_EVERYTHING",
        }:
            monkeypatch.delenv(name)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def ids() -> IdSource:
    return seeded_uids(1)


@pytest.fixture
def shelf(home: Path, clock: ManualClock, ids: IdSource) -> Iterator[Shelf]:
    """An empty installation; syncing is left to the tests that are about it."""
    shelf = Shelf(home, StoreOptions(synchronous="NORMAL"), clock, ids)
    yield shelf
    shelf.close()


@pytest.fixture
def store(shelf: Shelf) -> Store:
    return shelf.group("main", create=True)


@pytest.fixture
def instance(shelf: Shelf) -> Store:
    return shelf.instance
