"""Assets of no known class are not one family: what one does says nothing of another."""

from datetime import timedelta

import pytest

from afterword.pipeline.domain.outcomes.measure import measure
from afterword.pipeline.domain.outcomes.model import Subject
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import HOUR, book, jagged


@pytest.mark.parametrize(
    ("market", "group"), [("AIG", "AIG"), ("EEM", "EEM"), ("SPY", "stock"), ("SOLUSDT", "crypto")]
)
def test_an_asset_of_no_known_class_is_its_own_group(market, group):
    now = ManualClock()()
    opened = now - 300 * HOUR
    prices = book(market, opened, jagged(250, [0.01] * 50))
    decided_at = opened + timedelta(hours=260)

    outcome = measure(prices, Subject("decision", 1, market, "long", decided_at), 24, now)

    assert outcome.asset_class == group
