"""A replay that a report is read of."""

import pytest

from tests.unit.replay_report.report_world import ReplayWorld


@pytest.fixture
def world(stores, clock, ids):
    """A replay whose decisions and outcomes a test chooses."""
    return ReplayWorld(stores, clock, ids)
