"""A loser that its maker replaced counts for every reader, unless that was before its entry."""

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.cases.update import update_cases
from afterword.pipeline.domain.cases.votes import method_votes
from afterword.pipeline.domain.decisions.mark import mark_decision
from afterword.pipeline.domain.decisions.measure_outcomes import measure_due
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.patterns import rows as pattern_rows
from afterword.pipeline.domain.patterns.read import summaries
from afterword.pipeline.domain.patterns.triggers import weigh_later
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.operations.experiments import ablate_rows, past_rows
from afterword.pipeline.operations.experiments.past import own_windows, wrong_decisions
from afterword.pipeline.operations.replay_report import rows as report_rows
from tests.unit.experiments.ground import REGISTRY, ROLE
from tests.unit.synthesis.desk import Desk


@pytest.fixture
def pass_by(ground):
    """Let the price fall, and have everything measured that is due."""

    def done():
        ground.pass_by()
        measure_due(ground.store, REGISTRY, StoredPrices, ground.clock, weigh_later)
        update_cases(ground.store, ground.clock())

    return done


def counted_by(store, uid):
    """Return, by reader, whether a decision of confidence 0.9 counts."""
    row_id = show_decision(store, uid).decision.id
    with reading(store) as conn:
        windows = own_windows(conn)
        stated = [point for one in summaries(conn, ROLE) for point in one.calibration]
        return {
            "patterns": row_id in {it.subject_id for it in pattern_rows.votes(conn, ROLE.id, 24)},
            "calibration": (0.9, False) in stated,
            "cases": any(method_votes(conn).values()),
            "report": uid in {one.uid for one in report_rows.settled(conn, ROLE.id, 24)},
            "ablation by gates": uid in {one.key for one in ablate_rows.applying(conn)},
            "ablation by a model": row_id in past_rows.measured(conn, None, windows),
            "probe": uid in {one.decision.uid for one in wrong_decisions(conn, None, 10)},
        }


@pytest.mark.parametrize(("hours", "counts"), [(0, False), (12, True)])
def test_every_reader_counts_by_the_one_rule(ground, pass_by, ids, hours, counts):
    Desk(ground.store, ground.clock, ids).method("trend")
    ground.decide("SOL")
    pass_by()  # judged: the window of the role is known from it
    loser = ground.decide("BTC", methods=["trend"], confidence=0.9)
    ground.keep_hours(hours)
    ground.clock.advance(hours=hours)
    ground.decide("BTC", direction="neutral", inputs={}, supersedes=loser)
    pass_by()

    counted = counted_by(ground.store, loser)
    assert counted == dict.fromkeys(counted, counts)


def test_a_mark_changes_the_class_and_never_the_vote(ground, pass_by):
    ground.decide("SOL")
    pass_by()
    loser = ground.decide("BTC", confidence=0.9)
    mark_decision(ground.store, REGISTRY, loser, "right", "It was a good entry.", ground.clock)
    pass_by()

    verdict = show_decision(ground.store, loser).decision.verdict
    assert (verdict.outcome, verdict.classification) == ("right", None)
    counted = counted_by(ground.store, loser)
    assert all(counted[reader] for reader in ("patterns", "calibration", "report", "probe"))
    with reading(ground.store) as conn:
        (past,) = [it for it in wrong_decisions(conn, None, 10) if it.decision.uid == loser]
        assert (past.verdict, past.outcome.window_verdict) == ("wrong", "wrong")
