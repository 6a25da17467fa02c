"""Fixtures of the room: a desk that decides by methods."""

import pytest

from tests.unit.synthesis.desk import Desk


@pytest.fixture
def desk(store, clock, ids):
    return Desk(store, clock, ids)
