"""Fixtures of the room: a desk that decides and is measured."""

import pytest

from tests.unit.patterns.record import Desk


@pytest.fixture
def desk(store, clock, ids):
    return Desk(store, clock, ids)
