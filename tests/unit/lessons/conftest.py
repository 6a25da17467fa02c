"""Fixtures of the room: a desk that decides, is measured, and learns."""

import pytest

from afterword.pipeline.testing.roles import learned
from tests.unit.patterns.record import Desk


@pytest.fixture
def desk(store, clock, ids):
    return Desk(store, clock, ids, days_ago=140)


@pytest.fixture
def case(desk, store, clock):
    """Record one wrong decision of a setup with the lesson drawn from it."""

    def one(asset, direction, trend, lesson, volatility=None):
        (row_id,) = desk.decide(
            [False],
            assets=(asset,),
            direction=direction,
            trend=trend,
            volatility=volatility,
            asset_class="crypto",
        )
        clock.advance(hours=1)
        learned(store, row_id, lesson, clock())
        return row_id

    return one
