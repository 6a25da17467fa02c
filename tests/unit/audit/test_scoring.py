"""The six dimensions, each against a case computed by hand."""

import pytest

from afterword.pipeline.domain.audit.composite import (
    WEIGHTS,
    band_of,
    composite,
    weight_scored,
    weights_used,
)
from afterword.pipeline.domain.audit.model import (
    AuditedCases,
    AuditWindow,
    DimensionScore,
    ScoredEvent,
    ScoredMethod,
)
from afterword.pipeline.domain.audit.scoring import (
    attribution_integrity,
    coverage_health,
    cron_health,
    graduation_fp_rate,
    quarantine_churn,
    synthesis_quality,
)
from afterword.pipeline.rules.market.windows import DAY_US, HOUR_US

NOW = 1_000 * DAY_US
WINDOW = AuditWindow(NOW - 60 * DAY_US, NOW)


def event(uid, kind, days_ago=10.0, reason=""):
    return ScoredEvent(uid, kind, reason, round(NOW - days_ago * DAY_US))


def adjusted(uid, *verdicts):
    return [
        event(uid, "reflection_adjusted", 20 - place, f"{verdict}: because")
        for place, verdict in enumerate(verdicts)
    ]


def method(uid, group="crypto", *, is_graduated=True, uses=10, effective=20):
    return ScoredMethod(uid, group, is_graduated, uses, effective)


class TestSynthesisQuality:
    def test_one_way_verdicts_score_full_marks(self):
        assert synthesis_quality(adjusted("a", "flag", "flag", "flag")).score == 100

    def test_each_change_of_mind_costs_its_share_of_the_possible_ones(self):
        events = [*adjusted("a", "flag", "recover", "flag"), *adjusted("b", "flag", "flag", "flag")]

        # 2 changes of 4 possible ones.
        found = synthesis_quality(events)

        assert found.score == 50
        assert [(one.severity, one.about) for one in found.findings] == [("high", ("a",))]

    def test_two_verdicts_are_too_few_and_a_freeze_is_told_all_the_same(self):
        freeze = event("", "market_stress_freeze", reason="BTC fell 25% within 7 days")

        found = synthesis_quality([*adjusted("a", "flag", "recover"), freeze])

        assert found.score is None
        assert "BTC fell 25% within 7 days" in found.findings[0].text

    def test_a_demotion_by_flags_is_told_on_few_samples(self):
        found = synthesis_quality([event("a", "synthesis_auto_demote")])

        assert found.score is None
        assert found.findings[0].about == ("a",)


class TestGraduationFpRate:
    def test_a_young_graduation_that_stands_counts_in_neither(self):
        assert graduation_fp_rate([event("a", "graduated", 29)], WINDOW).score is None

    def test_a_young_one_that_was_taken_back_counts_in_both(self):
        old = [event(f"m{place}", "graduated", 40) for place in range(4)]
        events = [*old, event("a", "graduated", 10), event("a", "demoted", 5)]

        found = graduation_fp_rate(events, WINDOW)

        # 1 of 5: Wilson 95 % from 3.6 % to 62.4 %, and the score is what the upper end leaves.
        assert found.score == pytest.approx(37.6, abs=0.1)
        assert found.findings[0].text.startswith("1 of 5 graduations")

    def test_a_window_of_thirty_days_sees_also_those_that_were_not_taken_back(self):
        kept = [event(f"m{place}", "graduated", 45) for place in range(4)]
        older = event("b", "graduated", 61)
        events = [older, *kept, event("a", "graduated", 10), event("a", "demoted", 5)]

        found = graduation_fp_rate(events, AuditWindow(NOW - 30 * DAY_US, NOW))

        assert found.findings[0].text.startswith("1 of 5 graduations")
        assert (found.findings[0].severity, found.advisory_actions) == ("medium", ())

    @pytest.mark.parametrize(
        ("gate", "setting"), [("strict", "GRADUATION_FDR"), ("literal", "GRADUATION_GATE=strict")]
    )
    def test_the_advice_is_about_the_gate_in_force(self, gate, setting):
        events = [
            event(f"m{place}", kind, days)
            for place in range(5)
            for kind, days in (("graduated", 40), ("demoted", 30))
        ]

        assert setting in graduation_fp_rate(events, WINDOW, gate).advisory_actions[0]

    def test_a_reversal_after_thirty_days_is_no_false_graduation(self):
        events = [event(f"m{place}", "graduated", 50) for place in range(5)]

        found = graduation_fp_rate([*events, event("m0", "demoted", 15)], WINDOW)

        # 0 of 5: up to 43.4 %.
        assert found.score == pytest.approx(56.6, abs=0.1)

    def test_four_graduations_are_too_few_to_score(self):
        events = [event(f"m{place}", "graduated", 50) for place in range(4)]

        found = graduation_fp_rate(events, WINDOW)

        assert found.score is None
        assert "between 0%" in found.findings[0].text


class TestAttributionIntegrity:
    def test_a_fresh_installation_is_not_scored(self):
        assert attribution_integrity(AuditedCases(waiting=1)).score is None

    def test_the_formula(self):
        cases = AuditedCases(closed=8, resolved=6, waiting=2, backlog=2)

        # (0.7 * 6 / 8 + 0.3 * (1 - 2 / 10)) * 100
        assert attribution_integrity(cases).score == pytest.approx(76.5)

    def test_a_backlog_alone_scores_nothing(self):
        assert attribution_integrity(AuditedCases(waiting=1, backlog=1)).score == 0


class TestCoverageHealth:
    def test_three_active_methodologies_in_each_traded_group_are_full_marks(self):
        methods = [method(f"m{place}") for place in range(3)]

        assert coverage_health(methods, ["crypto"]).score == 100

    def test_below_three_it_falls_evenly_and_groups_are_averaged(self):
        crypto = [method(f"m{place}") for place in range(3)]
        stocks = [
            method("s1", "stock"),
            *[method(f"s{place}", "stock", is_graduated=False) for place in range(2, 4)],
        ]

        assert coverage_health([*crypto, *stocks], ["crypto", "stock"]).score == pytest.approx(
            100 * (1 + 1 / 3) / 2
        )

    def test_a_group_that_was_never_traded_is_left_out_and_named(self):
        found = coverage_health([method(f"m{place}") for place in range(3)], ["crypto"])

        assert found.score == 100
        assert "stock, index, commodity, forex" in found.findings[-1].text

    def test_a_group_without_the_uses_for_a_verdict_is_not_scored_as_a_failure(self):
        young = [method(f"m{place}", is_graduated=False, effective=19) for place in range(5)]

        found = coverage_health(young, ["crypto"])

        assert found.score is None
        assert "0 methodologies have the 20 uses that a verdict takes" in found.findings[0].text

    def test_nine_uses_are_not_active(self):
        methods = [method(f"m{place}", uses=9) for place in range(3)]

        assert coverage_health(methods, ["crypto"]).score == 0


class TestQuarantineChurn:
    def test_three_changes_of_one_of_two_halve_the_score(self):
        events = [
            *[event("a", kind) for kind in ("graduated", "demoted", "graduated")],
            event("b", "graduated"),
        ]

        found = quarantine_churn(events)

        assert (found.score, found.findings[0].about) == (50, ("a",))

    def test_adjustments_by_the_judge_are_no_churn(self):
        assert quarantine_churn(adjusted("a", *["flag", "recover"] * 4)).score is None


class TestCronHealth:
    @pytest.mark.parametrize(
        ("hours", "score"), [(1, 100), (12, 100), (90, 50), (168, 0), (169, 0)]
    )
    def test_the_score_falls_evenly_from_twelve_hours_to_seven_days(self, hours, score):
        assert cron_health(NOW - hours * HOUR_US, AuditedCases(), WINDOW).score == pytest.approx(
            score
        )

    def test_no_heartbeat_with_a_backlog_is_a_dead_loop(self):
        assert cron_health(None, AuditedCases(waiting=1), WINDOW).score == 0

    def test_no_heartbeat_and_nothing_to_do_is_not_scored(self):
        assert cron_health(None, AuditedCases(), WINDOW).score is None

    def test_a_backlog_takes_up_to_thirty_per_cent(self):
        found = cron_health(NOW - HOUR_US, AuditedCases(waiting=2, backlog=1), WINDOW)

        assert found.score == pytest.approx(85)


class TestComposite:
    def test_the_weights_are_those_of_the_requirement_and_add_up_to_one(self):
        assert WEIGHTS == {
            "synthesis_quality": 0.22,
            "graduation_fp_rate": 0.22,
            "attribution_integrity": 0.22,
            "coverage_health": 0.14,
            "quarantine_churn": 0.08,
            "cron_health": 0.12,
        }
        assert sum(WEIGHTS.values()) == pytest.approx(1)

    def test_dimensions_without_a_score_leave_their_weight_to_the_others(self):
        scores = dict.fromkeys(WEIGHTS, DimensionScore(None))
        scores |= {"coverage_health": DimensionScore(50.0), "cron_health": DimensionScore(100.0)}

        assert weights_used(scores) == pytest.approx(
            {"coverage_health": 0.14 / 0.26, "cron_health": 0.12 / 0.26}
        )
        assert composite(scores) == pytest.approx((0.14 * 50 + 0.12 * 100) / 0.26)

    def test_without_any_score_there_is_no_composite(self):
        assert composite(dict.fromkeys(WEIGHTS, DimensionScore(None))) is None

    @pytest.mark.parametrize(
        ("score", "band"),
        [
            *[(100, "healthy"), (80, "healthy"), (79.999, "watch"), (60, "watch")],
            *[(59.999, "degraded"), (40, "degraded"), (39.999, "alarm"), (0, "alarm")],
        ],
    )
    def test_the_bands(self, score, band):
        assert band_of(score) == band

    def test_full_marks_everywhere_are_never_more_than_a_hundred(self):
        for left_out in WEIGHTS:
            scores = {name: DimensionScore(None if name == left_out else 100.0) for name in WEIGHTS}

            assert composite(scores) == pytest.approx(100)
            assert composite(scores) <= 100


@pytest.mark.parametrize(
    ("score", "weight", "band"),
    [
        (100, 1, "healthy"),
        (80, 0.5, "healthy"),
        (100, 0.49, None),
        (60, 0.34, None),
        (59, 0.34, "degraded"),
        (39.9, 0.1, "alarm"),
    ],
)
def test_a_part_of_the_loop_may_be_ill_alone_and_is_not_well_alone(score, weight, band):
    assert band_of(score, weight) == band


def test_the_weight_that_was_scored():
    assert weight_scored({"cron_health": 100, "quarantine_churn": 50, "coverage_health": None}) == (
        pytest.approx(0.2)
    )
