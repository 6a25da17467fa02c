"""Methodologies that a run cites get their votes by its decision; a decision counts once."""

import json

import pytest

from afterword.pipeline.core.store import reading

ROLE = "market.spot.momentum"


@pytest.fixture
def method(command):
    """Add a method about the major coins, bullish over a week; return its id."""
    done = command(
        *("methodology", "add", "Buy BTC when it breaks out", "--class", "major_crypto"),
        *("--direction", "bullish", "--timeframe", "short", "--json"),
    )
    assert done.code == 0, done.err
    return done.json["uid"]


@pytest.fixture
def decide(command):
    def record(method, direction="long"):
        done = command(
            *("role", "record", ROLE, "It breaks out", "--asset", "BTC"),
            *("--direction", direction, "--method", method, "--json"),
        )
        assert done.code == 0, done.err
        return done.json["uid"]

    return record


@pytest.fixture
def after_a_month(command, prices, clock):
    """Live forty days on, with prices that rise, and score what was decided since a moment."""

    def live(start):
        clock.advance(days=40)
        prices("BTCUSDT", start, 40, lambda _hour: 1.002)
        assert command("methodology", "synthesize").code == 0

    return live


def _figures(command, method):
    return command("methodology", "show", method, "--json").json["methodology"]["figures"]


def _counts(command, method):
    figures = _figures(command, method)
    return figures["times_used"], figures["effective_uses"]


def test_what_the_roles_of_a_run_cite_is_fed_by_its_decision(
    command, capture, method, clock, after_a_month
):
    start = clock()
    capture(cited=[method, "nobody-knows"])
    after_a_month(start)

    assert _counts(command, method) == (3, 1)
    story = command("institution", "run", "show", "r1", "--json").json
    told = {
        one["methodology"]: (one["standing"], one["outcome_state"]) for one in story["citations"]
    }
    assert told == {method: ("counts", "right"), "nobody-knows": ("unknown", "")}


@pytest.mark.parametrize("first", ["role", "run"])
@pytest.mark.parametrize("hours", [0, 48])
def test_a_decision_of_a_role_and_a_run_on_the_same_stretch_are_one_use(
    command, capture, decide, method, clock, after_a_month, first, hours
):
    start = clock()
    steps = [lambda: decide(method), lambda: capture(cited=[method])]
    for step in steps if first == "role" else reversed(steps):
        step()
        clock.advance(hours=hours)
    after_a_month(start)

    assert _counts(command, method) == (3, 1)
    shown = command("institution", "run", "show", "r1").out
    assert ("none: a decision recorded before is the same use" in shown) == (first == "role")
    cases = command("methodology", "cases", "--json").json
    repeats = [case["citations"][0][-1] for case in cases]
    assert repeats == [True, False]  # the latest first


def test_after_its_stretch_a_run_is_a_use_of_its_own(
    command, capture, decide, method, clock, after_a_month
):
    start = clock()
    decide(method)
    clock.advance(days=8)
    capture(cited=[method])
    after_a_month(start)

    assert _figures(command, method)["effective_uses"] == 2
    assert "is the same use" not in command("institution", "run", "show", "r1").out


def test_of_another_asset_a_run_is_a_use_of_its_own(
    command, capture, decide, method, clock, prices, after_a_month
):
    start = clock()
    decide(method)
    capture(cited=[method], asset="ETH")
    after_a_month(start)

    assert "is the same use" not in command("institution", "run", "show", "r1").out


def test_a_run_may_name_the_decision_that_its_desk_recorded(
    command, capture, decide, method, clock, store, after_a_month
):
    start = clock()
    uid = decide(method)
    done = capture(cited=[method], decision=uid)
    assert done.json[0]["decision"] == uid
    after_a_month(start)

    assert _counts(command, method) == (3, 1)
    with reading(store) as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM role_memory").scalar() == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"asset": "ETH"}, "another asset: BTC"),
        ({"direction": "short"}, "another direction: long"),
        ({"cited": ["m2"]}, "does not cite 'm2'"),
        ({"run": "r2"}, "is that of the run 'r1'"),
    ],
)
def test_a_run_that_names_another_decision_than_its_own_is_refused(
    capture, decide, method, given, says
):
    uid = decide(method)
    if given.get("run"):
        assert capture(decision=uid).code == 0

    done = capture(decision=uid, **given)

    assert done.code == 2 and says in done.err


def test_a_run_that_decides_against_a_method_votes_nothing_for_it(
    command, capture, method, clock, after_a_month
):
    start = clock()
    capture(cited=[method], direction="short")
    after_a_month(start)

    assert _counts(command, method) == (0, 0)
    assert "none: the run decided another way" in command("institution", "run", "show", "r1").out


def test_snapshots_feed_nothing(command, capture, method, clock, after_a_month):
    start = clock()
    capture(cited=[method])
    after_a_month(start)
    command("institution", "run", "reflect")
    before = json.dumps(_figures(command, method))

    for note in ("one", "two"):
        command("institution", "run", "reflect", "r1", "--note", note)
    command("institution", "retrospect", "BTC")
    clock.advance(hours=7)
    command("methodology", "synthesize")

    after = _figures(command, method)
    assert json.dumps(after | {"scored_at": None}) == json.dumps(
        json.loads(before) | {"scored_at": None}
    )


def test_the_audit_covers_what_runs_cite(command, capture, method, clock, after_a_month):
    start = clock()
    capture(cited=[method])
    after_a_month(start)

    report = command("audit", "run", "--json").json

    scores = report["dimension_scores"]
    assert scores["attribution_integrity"] == 100, report
