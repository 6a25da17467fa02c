"""What an operator sees of rebuilds: findings of the doctor, and metrics of all groups."""

from collections.abc import Sequence
from typing import Any

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.rebuilds.metrics import RebuildNumbers
from afterword.pipeline.operations.doctor.model import Finding, SoundFile
from afterword.pipeline.operations.doctor.rebuilds import check_rebuilds
from afterword.pipeline.testing.clock import ManualSeconds
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.model_server import fills_in
from tests.unit.rebuilds.trader import Trader


@pytest.fixture
def examine(trader: Trader):
    """Have the doctor look at the rebuilds."""

    def look() -> Sequence[Finding]:
        by = trader.agent
        file = SoundFile(by.store, trader.settings, by.clock, ManualSeconds(), by.ids)
        return list(check_rebuilds(file))

    return look


def numbers(trader: Trader) -> dict[str, Any]:
    reader = RebuildNumbers(trader)
    with reading(trader.agent.store) as conn:
        read = reader.read(conn)
    return dict(reader.sums([read], [], trader.clock()))


def test_the_doctor_is_silent_before_the_first_run_and_content_after_it(trader, examine) -> None:
    assert examine() == []
    trader.trip(3.0)
    trader.rebuild()

    (finding,) = examine()
    assert finding.state == "fine"


def test_the_doctor_tells_failures_and_from_the_third_on_that_it_is_wrong(
    worded: Trader, server, examine, clock
) -> None:
    worded.trip(3.0)
    states = []
    for _ in range(3):
        server.script(refuses(500))
        worded.rebuild(is_forced=True)
        clock.advance(minutes=6)
        states += [finding.state for finding in examine()]

    assert states == ["note", "note", "wrong"]
    assert numbers(worded)["afterword_profile_rebuild_failures"]["trading_summary",] == 3


def test_the_doctor_names_a_source_that_cannot_be_read(trader, examine) -> None:
    trader.swap()
    trader.run_sql("UPDATE external_spot_activities SET amount = 'no number'")
    trader.rebuild()

    (finding,) = examine()
    assert finding.state == "wrong"
    assert "external_spot_id_seen" in finding.says


def test_the_doctor_tells_of_refused_words(worded: Trader, server, examine) -> None:
    worded.trip(3.0)
    server.script(fills_in({"platform_wallet_summary": "All in on BTC."}))
    worded.rebuild()

    (finding,) = examine()
    assert (finding.state, "BTC" in finding.says) == ("note", True)


def test_a_rebuild_that_nobody_runs_is_late_and_gets_old(trader, examine, clock) -> None:
    trader.trip(3.0)
    trader.rebuild()
    clock.advance(hours=2)
    assert examine()[0].state == "fine"  # nothing is new
    assert numbers(trader)["afterword_profile_rebuild_oldest_age_seconds"]["trading_summary",] == 0
    trader.swap()

    (finding,) = examine()
    assert "is due since" in finding.says
    ages = numbers(trader)["afterword_profile_rebuild_oldest_age_seconds"]
    assert ages["trading_summary",] == 7_200
