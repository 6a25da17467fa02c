"""Makers cite methodologies of their own, and those of placebos stay apart from all others."""

import json
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.methodologies.checks import check_methodology
from afterword.pipeline.domain.methodologies.injection import scan_methodology_for_injection
from afterword.pipeline.domain.methodologies.read import (
    count_methodologies,
    list_methodologies,
    suggested_methodologies,
)
from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.outcomes.probes import PriceDelta, Probes
from afterword.pipeline.domain.skills.check import check_skill
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.replay.calls import Placebo, fixed_side, usual_placebos
from afterword.pipeline.operations.replay.methods import (
    placebo_methods,
    rule_methods,
    timeframe_of,
)
from afterword.pipeline.operations.replay.roles import replay_skill, role_of
from afterword.pipeline.rules.market.signals import Breakout, MeanReversion, Momentum

RULES = (Momentum(), Momentum(336), MeanReversion(), Breakout())
PLACEBOS = (*usual_placebos(RULES), Placebo("fixed", number=2), Placebo("anew", number=2))
CLASSES = ("layer_1", "stock")


def every_method(window_hours=168, seed=1):
    return [
        *rule_methods(RULES, CLASSES, window_hours),
        *placebo_methods(PLACEBOS, CLASSES, window_hours, seed),
    ]


@pytest.mark.parametrize(
    ("rule", "side", "text", "signal", "indicators"),
    [
        (
            Momentum(),
            "long",
            "Momentum: go long when the close is above the close of 28 days before. "
            "Judged after 7 days.",
            "momentum",
            (),
        ),
        (
            MeanReversion(),
            "long",
            "Mean reversion: go long when the close is more than 2 standard deviations below the "
            "mean daily close of 28 days. Judged after 7 days.",
            "mean_reversion",
            ("bollinger_bands", "moving_average"),
        ),
        (
            Breakout(),
            "short",
            "Breakout: go short when the close is below the lowest daily close of the 28 days "
            "before. Judged after 7 days.",
            "technical",
            ("donchian_channel",),
        ),
    ],
)
def test_a_method_names_its_rule_and_parameters(rule, side, text, signal, indicators):
    made = [one for one in rule_methods([rule], ["stock"], 168) if one.side == side]
    method = made[0].method

    assert (method.methodology, method.primary_signal, method.indicators) == (
        text,
        signal,
        indicators,
    )
    assert (method.direction, method.timeframe, method.source) == (
        "bullish" if side == "long" else "bearish",
        "short",
        "written",
    )
    assert rule.source in method.evidence


def test_the_method_of_a_placebo_names_what_it_does():
    made = placebo_methods(usual_placebos([Momentum()]), ["stock"], 24, seed=1)
    texts = {(one.maker, one.side): one.method.methodology for one in made}

    assert texts["flipped:momentum", "long"] == (
        "Placebo: go long when the close is below the close of 28 days before, against momentum. "
        "Judged after a day."
    )
    assert texts["stale:momentum", "short"] == (
        "Placebo: go short when the close was below the close of 28 days before, one step before "
        "the decision. Judged after a day."
    )
    side = fixed_side(Placebo("fixed"), "stock", 1)
    assert [one.side for one in made if one.maker == "fixed"] == [side]
    assert all(one.method.source == "placebo" and one.method.evidence == "" for one in made)


def test_the_horizon_chooses_the_timeframe():
    said = {hours: timeframe_of(hours) for hours in (24, 168, 720, 2_160)}

    assert said == {24: "intraday", 168: "short", 720: "medium", 2_160: "long"}
    with pytest.raises(InvalidInputError, match="accepted: 1d, 7d, 30d, 90d"):
        timeframe_of(72)


def test_there_is_no_method_about_an_unknown_class():
    assert rule_methods(RULES, ["unknown"], 168) == []
    assert {one.asset_class for one in rule_methods(RULES, ["unknown", "etf"], 168)} == {"etf"}


def test_each_method_is_a_row_of_its_own_and_a_second_run_finds_it(owner, store):
    made = every_method()
    first = [add_methodology(owner, one.method, as_new=True) for one in made]
    again = [add_methodology(owner, one.method, as_new=True) for one in made]

    assert len({one.uid for one in first}) == len(made) == 2 * (2 * len(RULES) + 2 + 4 + 16)
    assert all(one.is_new for one in first)
    assert [one.uid for one in again] == [one.uid for one in first]
    assert all(one.is_repeat for one in again)
    assert not any(one.payloads for one in first)
    with reading(store) as conn:
        stored = list_methodologies(conn, limit=200)
    assert {one.sightings for one in stored} == {1}


def test_the_ladder_would_take_a_breakout_for_momentum(owner):
    """Why they are added with `as_new`: both ask for a close above one of 28 days before."""
    made = rule_methods([Momentum(), Breakout()], ["stock"], 168)
    added = [add_methodology(owner, replace(one.method, key=None)) for one in made]

    assert [(one.is_new, one.recognised_by) for one in added[2:]] == 2 * [(False, "tfidf")]


def test_placebos_are_counted_apart_and_never_suggested(owner, store):
    for one in every_method():
        add_methodology(owner, one.method, as_new=True)

    with reading(store) as conn:
        assert count_methodologies(conn) == {"new": 2 * 2 * len(RULES)}
        assert count_methodologies(conn, placebos=True) == {"new": 2 * (2 + 4 + 16)}
        assert suggested_methodologies(conn, "stock", 50) == []
    # Not even a slip of the synthesis could show one: the schema holds it in quarantine.
    with pytest.raises(IntegrityError), writing(store) as conn:
        conn.exec_driver_sql("UPDATE methodologies SET quarantine = 0 WHERE source = 'placebo'")


def test_no_text_is_taken_for_an_order():
    for one in every_method():
        checked = check_methodology(one.method, "owner")
        assert not scan_methodology_for_injection(checked)
        assert json.dumps(checked.methodology) == json.dumps(one.method.methodology)


@pytest.mark.parametrize("hours", [24, 168, 720, 2_160])
def test_the_roles_are_judged_by_the_price_after_the_horizon(hours):
    skill = replay_skill(hours)

    check_skill(skill, Probes({}), PostHoc({}, {}))
    assert [one.id for one in skill.memory_roles] == [
        "replay.momentum",
        "replay.mean_reversion",
        "replay.breakout",
        "replay.placebo",
        "replay.trades",
    ]
    for role in skill.memory_roles:
        assert role.reflection_policy.outcome_probe == PriceDelta(hours)
        assert role.reflection_policy.min_age_hours == hours


def test_every_maker_has_a_role():
    known = {one.id for one in replay_skill(168).memory_roles}
    said = {one.maker: role_of(one.maker) for one in every_method()}

    assert set(said.values()) == known - {"replay.trades"}
    assert said["stale:momentum"] == said["fixed"] == "replay.placebo"
    assert said["breakout"] == "replay.breakout"
