"""A user whose days are told one by one."""

import pytest

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.testing.clock import ManualClock
from tests.unit.preferences.days import Days


@pytest.fixture
def days(owner: Writer, clock: ManualClock) -> Days:
    return Days(owner, clock)
