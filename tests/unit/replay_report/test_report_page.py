"""A replay's report as text, page and JSON: the same numbers, and no claim without a graduate."""

import json
import re
from collections import Counter
from html import unescape

import pytest
import typer
from typer.main import get_command

from afterword.pipeline.core.store import writing
from afterword.pipeline.doors.cli.global_options import share
from afterword.pipeline.doors.commands.replay.report import report as report_command
from afterword.pipeline.doors.render.html import fragment, page
from afterword.pipeline.doors.render.markdown import markdown
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.doors.render.values import plain
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.operations.replay.run import Throughput
from afterword.pipeline.rules.text.numbers import amount, percent
from afterword.pipeline.views.numbers import times_words
from afterword.pipeline.views.replay.report import replay_findings
from tests.unit.replay_report.report_world import ReplayWorld
from tests.unit.replay_report.test_report_methods import follow

CLAIM = re.compile(
    r"\b(edges?|skilled|(?<!without )skill|beats?|outperforms?|proven|profitable|works|alpha"
    r"|is told apart|are told apart)\b",
    re.IGNORECASE,
)
"""Words for what a gate has graduated; nothing else may have them."""


def printed(report):
    return text(replay_findings(report), Screen())


def page_of(report):
    return page(replay_findings(report))


def visible(page):
    """Return the text of a page, without its pictures and its style sheet."""
    body = re.sub(r"<(style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", body)).replace("\u00a0", " ")


@pytest.fixture
def luck(world):
    """A replay in which nothing differs from luck: a rule, two placebos, stated confidence."""
    for name in ("rise", "fall"):
        world.method(name, direction="bullish" if name == "rise" else "bearish")
    world.method("coin", source="placebo")
    for place in range(60):
        move = 3 if place % 2 else -3.3
        world.call("momentum", move, methods=["rise"], confidence=0.6, wait=False)
        world.call("breakout", -move, stance="short", methods=["fall"], wait=False)
        world.call("anew", move, methods=["coin"], sigma=2.5)
    world.synthesize()
    return world


@pytest.fixture
def graduate(world):
    """A replay with a graduate, and a placebo that the gates would have let through."""
    world.method("rise", text="Buy what rises.")
    world.method("lucky", source="placebo")
    follow(world, "momentum", "rise", [True] * 30)
    world.synthesize()
    follow(world, "momentum", "rise", [True, False, True, True] * 5)
    follow(world, "anew", "lucky", [True, False, True])
    world.synthesize()
    return world


def test_the_text_tells_what_came_of_it_first_and_what_was_tried_last(luck):
    shown = printed(luck.report())

    headings = [
        "Replay demo",
        "None of 2 methods",
        "What came of it",
        "What can be told",
        "Part by",
    ]
    places = [shown.index(one) for one in [*headings, "What was tried", "How sure"]]
    assert places == sorted(places)
    assert re.search(r"momentum +60 +50 % +−7\.5 σ +−0\.12 ± 0\.21 σ +", shown)
    assert len(shown.splitlines()) < 60
    assert max(map(len, shown.splitlines())) <= 110


def test_nothing_is_claimed_of_what_is_not_graduated(luck):
    report = luck.report()

    for words in (printed(report), visible(page_of(report))):
        told = words.rsplit("How to read it", 1)[0]
        assert not CLAIM.findall(told.replace("can be told apart", "")), CLAIM.findall(told)
        assert "None of 2 methods that were tried can be told apart from luck" in words


@pytest.mark.parametrize("gate", ["strict", "literal"])
def test_a_graduate_is_told_with_what_came_since(stores, clock, ids, gate):
    world = ReplayWorld(stores, clock, ids, gate=gate)
    world.method("rise")
    follow(world, "momentum", "rise", [True] * 30)
    world.synthesize(in_force=gate)
    follow(world, "momentum", "rise", [True, False, True, True])
    world.synthesize(in_force=gate)

    report = world.report()

    unit = "stretches" if gate == "strict" else "windows"
    base = "; base 50 %" if gate == "strict" else ""
    for words in (printed(report), visible(page_of(report))):
        flat = " ".join(words.split())
        assert f"Until then right 30 of 30 {unit}, 100 % (89–100 %){base}." in flat
        assert f"Since, which nobody knew then: right 3 of 4 {unit}, 75 % (30–95 %){base}." in flat
        assert ("cannot tell luck apart" in flat) == (gate == "literal")


def test_the_honesty_check_says_which_gate_a_placebo_would_have_passed(world):
    world.method("lucky", source="placebo")
    follow(world, "fixed", "lucky", [True] * 30)
    world.synthesize()

    shown = " ".join(printed(world.report()).split())

    assert "of 1 placebo, made without skill, 1 ever looked promising" in shown
    assert "What the strict gate or the literal rule lets through may be luck." in shown
    assert "No method was tried" in shown
    assert not CLAIM.findall(shown)


def test_an_empty_replay_and_one_with_a_single_decision_have_a_report(world):
    assert "Nothing was decided until 2026-01-05." in printed(world.report())
    assert "Nothing was decided" in visible(page_of(world.report()))

    world.call("momentum", 3)
    report = world.report()

    assert "momentum" in printed(report)
    assert "+1.4 σ" in visible(page_of(report))  # (3 - 0.1) / 2
    assert "No placebo ran beside" not in printed(report)  # no method at all


def test_a_decision_without_an_outcome_waits(world):
    world.call("momentum", 3)
    with writing(world.store) as conn:
        conn.exec_driver_sql("DELETE FROM outcomes")

    shown = printed(world.report())

    assert "No decision has an outcome yet: each is judged 1 day later." in shown


def test_what_a_model_may_have_known_is_labelled(stores, clock, ids):
    known = ReplayWorld(stores, clock, ids, judge="some-model", known_until="2026-01-06")
    for _ in range(4):
        known.call("momentum", 3)
    heuristic = ReplayWorld(stores, clock, ids, "other", known_until="2027-01-01")
    heuristic.call("momentum", 3)

    shown = " ".join(printed(known.report()).split())

    assert "2 decisions of 4 were made until 2026-01-06" in shown
    assert "the last day that some-model may know" in visible(page_of(known.report()))
    assert heuristic.report().head.known_decisions == 0
    assert "may know" not in printed(heuristic.report())


def test_foreign_text_is_shown_and_runs_nothing(world):
    hostile = "<script>alert(1)</script> & \u202e\x1b[31mred"
    world.method(hostile, text=hostile)
    follow(world, "momentum", hostile, [True] * 30)
    world.synthesize()

    report = world.report()
    found, shown = page_of(report), printed(report)

    assert "<script" not in found
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; " in found
    assert not {"\x1b", "\u202e"} & (set(found) | set(shown))


def test_a_page_loads_nothing_and_has_the_same_bytes_twice(graduate):
    found = page_of(graduate.report())

    assert found == page_of(graduate.report())
    assert not re.search(r"(src|href)=\"(?!#)", found)
    assert "<script" not in found
    assert found.count("<svg") > 5


@pytest.mark.parametrize("story", ["luck", "graduate"])
def test_page_and_markdown_show_every_number_of_the_text(request, story):
    view = replay_findings(request.getfixturevalue(story).report())
    told = Counter(re.findall(r"\d[\d.,]*\d|\d", text(view, Screen())))

    for shown in (visible(fragment(view)), markdown(view)):
        assert told - Counter(re.findall(r"\d[\d.,]*\d|\d", shown)) == Counter()


def test_how_fast_it_ran_is_told_by_its_runner_only(world):
    world.call("momentum", 3)

    fast = world.report(Throughput(2.0, 1_000, 4_000))

    assert "1,000 decisions and 4,000 events in 2 s: 500 and 2,000 a second" in printed(fast)
    assert "a second" in visible(page_of(fast))
    assert "a second" not in visible(page_of(world.report()))


def test_json_has_every_number_that_the_page_shows(graduate):
    report = graduate.report()

    known = _forms(json.loads(json.dumps(plain(report))))
    told = visible(page_of(report)).rsplit("How to read it", 1)[0]
    numbers = re.findall(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)", _without_dates(told))

    constants = {"1", "2", "0", "20", "40", "60", "80", "95", "100", "4", "2.0", "256"}
    assert len(numbers) > 60
    assert [one for one in numbers if one not in known | constants] == []


def test_the_command_prints_text_json_and_writes_the_page(graduate, home, tmp_path, capsys):
    graduate.reach("done")
    file = tmp_path / "page.html"

    def run(*words):
        capsys.readouterr()
        app = typer.Typer(add_completion=False)
        app.command()(report_command)
        made = get_command(app)
        share(made)
        made.main([*words, "--home", str(home)], standalone_mode=False)
        return capsys.readouterr().out

    shown = run("demo", "--html", str(file))
    found = json.loads(run("demo", "--json"))

    assert "Replay demo: 2026-01-05 to" in shown
    assert "the page is in" in shown
    assert file.read_text().startswith("<!doctype html>")
    assert found["head"]["decisions"] == 53
    assert found["throughput"] is None
    with pytest.raises(InvalidInputError, match="cannot be written"):
        run("demo", "--html", str(tmp_path / "none" / "page.html"))
    with pytest.raises(NotFoundError, match="other"):
        run("other")


def _without_dates(text):
    return re.sub(r"\d{4}-\d{2}(-\d{2})?|[0-9a-f]{64}", " ", text)


def _forms(value):
    """Return every way in which a page may write the numbers of some JSON."""
    if isinstance(value, dict):
        return set().union(*map(_forms, value.values()), {f"{len(value)}"})
    if isinstance(value, list):
        return set().union(*map(_forms, value), {f"{len(value)}"})
    if isinstance(value, bool) or not isinstance(value, int | float):
        return set(re.findall(r"\d+(?:\.\d+)?", value)) if isinstance(value, str) else set()
    size = abs(value)
    forms = [f"{size:,.{digits}f}" for digits in range(4)]
    forms += [amount(size), percent(size), percent(size, 2), times_words(size)]
    forms += [f"{size * 100:.0f}", f"{size / 24:.0f}", f"{max(1, round(size))}"]
    return {one.removesuffix(" %") for one in forms}
