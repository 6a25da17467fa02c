"""`afterword role summary`: what the record of a role says, and no more than it supports."""

import random
import re

import pytest

from tests.unit.report.conftest import COIN, FLAW, ROLE

STRONG = re.compile(r"\b(failing|fails|works|working|edge|habit|costs you)\b", re.IGNORECASE)
"""Words for what was told apart from luck; nothing else may have them."""


@pytest.fixture
def page(command, tmp_path):
    """Return the page of `role summary --html`."""

    def read(*roles: str) -> str:
        file = tmp_path / "summary.html"
        assert command("role", "summary", *roles, "--html", str(file)).code == 0
        return file.read_text()

    return read


def overview(command, asset_class="layer_1"):
    (role,) = [one for one in command("role", "summary", "--json").json if one["role"] == ROLE]
    (found,) = [one for one in role["classes"] if one["asset_class"] == asset_class]
    return found


def test_one_class_on_one_screen_with_its_base_and_interval(command, measured, weigh):
    measured(COIN, result_usd=-12, residual=-0.02)
    weigh()

    shown = command("role", "summary", ROLE).out

    assert shown.startswith(f"{ROLE}: Momentum call, judged 24 h later")
    (row,) = re.findall(r"^layer_1 .*", shown, re.MULTILINE)
    assert row.split("  ")[0] == "layer_1"
    assert "30 (50 %)  30 (50 %)  38–62 %  −2.0 %         −$720   none" in row
    assert "Nothing can be told apart from luck yet: 60 stretches. A flaw that turns half" in shown
    assert [(one["direction"], one["trend"]) for one in overview(command)["setups"]] == [
        ("long", "up")
    ]
    assert len(shown.splitlines()) <= 24


def test_what_is_confirmed_is_told_with_what_would_retire_it(command, measured, weigh):
    measured(FLAW)
    weigh()

    shown = command("role", "summary").out

    assert "1 confirmed" in shown
    assert "1 pattern can be told apart from luck." in shown
    assert (
        "confirmed 1      Failing: longs after a rise beyond the band, SOL: right 12 of 60" in shown
    )
    assert (
        "retired when later stretches fit a lost effect 10 times better than a lasting one" in shown
    )


def test_what_was_measured_and_not_yet_weighed_is_told_all_the_same(command, measured):
    measured(FLAW)

    shown, listed = command("role", "summary").out, command("role", "pattern", "ls").out

    for told in (shown, listed):
        assert "Failing: longs after a rise beyond the band, SOL: right 12 of 60" in told


def test_near_same_decisions_are_told_as_one_stretch(command, measured, clock):
    measured([True] * 9, hours_apart=1, confidence=0.9)

    shown = command("role", "summary").out

    assert "1 (100 %)" in shown
    assert "9 decisions share 1 stretch of prices: near-same ones do not confirm each" in shown
    (one,) = overview(command)["calibration"]
    assert (one["decisions"], one["hit"], round(one["low"], 2)) == (9, 1, 0.21)  # as of 1 of 1


def test_a_hint_is_told_as_one_and_with_what_would_decide(command, measured, weigh):
    measured([True, False, False, False] * 10)
    weigh()

    shown, (hint,) = command("role", "summary").out, overview(command)["patterns"]

    assert hint["state"] == "emerging"
    assert "Nothing can be told apart from luck yet; 1 hint to watch. One role in five" in shown
    assert "hint 1           A hint, not a lesson: longs after a rise beyond the band" in shown
    assert STRONG.findall(shown) == []


def test_an_open_question_says_how_many_stretches_would_decide(command, measured, weigh):
    measured([False, False, True] * 8)
    weigh()

    shown, nearest = command("role", "summary").out, overview(command)["nearest"]

    assert (nearest["stretches"], nearest["hits"], nearest["expected"]) == (24, 8, 12)
    more = nearest["stretches_needed"]
    assert (
        "Longs after a rise beyond the band were right 8 of 24 (base 12). At 43 %, the rate to "
        f"expect next, about {more} more such stretches would decide."
    ) in shown


def test_calls_without_skill_never_get_a_strong_word(command, measured, weigh, page):
    dice = random.Random(4)
    for direction in ("long", "short", "neutral"):
        for trend in ("up", "flat", "down"):
            measured([dice.random() < 0.5 for _ in range(20)], direction=direction, trend=trend)
    weigh()

    told = [
        command("role", "summary").out,
        command("role", "pattern", "ls", "--all").out,
        command("role", "pattern", "show", ROLE, "layer_1", "long", "up").out,
        page(),
    ]

    assert overview(command)["patterns"] == []
    assert [STRONG.findall(text) for text in told] == [[], [], [], []]


def test_stated_confidence_stands_beside_what_came_true(command, measured, page):
    measured([True, False, False, False, True], confidence=0.8)
    measured([True, None], confidence=0.6)

    shown = command("role", "summary").out

    assert "you say 60 %, it is 100 % (n = 1); you say 80 %, it is 40 % (n = 5)" in shown
    assert "Brier score 0.36; always saying the share that was right would score 0.25" in shown
    assert "stated 80 %, right 40 %, n = 5" in page()


def test_plans_neutral_calls_and_results_are_told_where_they_are_known(command, measured):
    measured([True, False], plan="stop_first")
    measured([True], plan="target_first", result_usd=40)
    measured([True, None, False], direction="neutral", trend="flat")

    shown = command("role", "summary").out

    assert "1 met the target first, 2 met the stop first" in shown
    assert "$40.00 after costs, where sizes are known: 1 of 6 decisions" in shown
    assert "3 neutral calls: right 1 of 2 stretches" in shown
    assert "counted, never a pattern" in shown


def test_neutral_calls_alone_say_that_nothing_is_tested(command, measured):
    measured(COIN, direction="neutral", trend="flat")

    assert "only longs and shorts are tested, and there is none" in command("role", "summary").out


def test_calls_that_never_left_the_noise_band_say_so(command, measured):
    measured([None] * 5)

    shown = command("role", "summary").out

    assert "Nothing can be told yet: no long or short has left the noise band." in shown


def test_before_there_is_any_decision_it_says_how_to_record_one(command, home):
    done = command("role", "summary")

    assert (done.code, done.out.startswith("no decisions yet: `afterword role record")) == (0, True)
    assert command("role", "summary", "--json").json == []
    assert not home.exists()


def test_before_there_is_an_outcome_it_says_how_to_get_one(command):
    command("role", "record", ROLE, "Buy", "--asset", "SOL", "--direction", "long")

    shown = command("role", "summary").out

    assert shown.splitlines() == [
        f"{ROLE}: Momentum call, judged 24 h later; 1 pending",
        "no outcome yet: `afterword role reflect` measures the decisions that are due, and says "
        "what the others wait for",
    ]


def test_decisions_that_wait_for_prices_are_told_beside_those_that_wait_for_time(command, measured):
    measured(COIN)
    old = ("--asset", "SOL", "--direction", "long", "--decided-at", "2020-01-01T00:00:00Z")
    command("role", "record", ROLE, "Buy", *old)
    command("role", "reflect")
    command("role", "record", ROLE, "Buy", "--asset", "SOL", "--direction", "long")

    told = command("role", "summary").out.splitlines()[0]

    assert "1 pending" in told
    assert "1 parked, no price" in told


def test_a_named_role_is_shown_alone_and_a_typo_is_told(command, measured):
    measured(COIN)

    (only,) = command("role", "summary", "market.perps.swing", "--json").json
    assert (only["role"], only["classes"]) == ("market.perps.swing", [])
    done = command("role", "summary", "market.nosuch")
    assert (done.code, done.err.count("\n"), ROLE in done.err) == (1, 1, True)


def test_a_past_moment_shows_what_was_known_then(command, clock, measured, weigh):
    measured(FLAW)
    weigh()
    then = clock().isoformat()
    clock.advance(hours=1)
    measured(COIN)

    (role,) = command("role", "summary", "--as-of", then, "--json").json
    assert role["classes"][0]["decisions"] == 60
    assert overview(command)["decisions"] == 120


def test_the_page_has_the_same_bytes_for_the_same_record(command, measured, weigh, page):
    measured(FLAW, confidence=0.8, result_usd=-12)
    weigh()

    first = page()

    assert first == page()
    assert "Failing: longs after a rise beyond the band, SOL: right 12 of 60 stretches" in first
    assert "<title>20 %, interval 12 % to 32 %, base 50 %</title>" in first


def test_the_page_without_a_record_is_a_page(page):
    assert "Group main: no outcome yet." in page()


def test_a_page_that_cannot_be_written_is_one_line(command, measured, tmp_path):
    done = command("role", "summary", "--html", str(tmp_path))

    assert (done.code, done.err.count("\n")) == (2, 1)
    assert done.err.startswith(f"afterword: html: {tmp_path} cannot be written (Is a directory)")


def test_a_moment_before_all_records_is_told_as_such(command, measured):
    measured(COIN)

    shown = command("role", "summary", "--as-of", "2020-01-01T00:00:00Z").out

    assert shown.startswith("no outcome was known then: ")


def test_the_words_of_a_summary_are_explained_where_they_stand(command, measured, page):
    measured(COIN)

    for told in (command("role", "summary").out, page()):
        for word in ("stretch", "noise band", "base", "95 %", "beyond market", "confirmed"):
            assert word in told
        assert "one vote, that of the first" in told
        assert "in at most 1 of 20 roles, however often you look; a hint in 1 of 5" in told


def test_the_level_of_the_settings_is_the_one_that_is_told(command, measured, monkeypatch):
    monkeypatch.setenv("AFTERWORD_PATTERN_ERROR", "0.01")
    measured(COIN)

    assert "in at most 1 of 100 roles" in command("role", "summary").out
