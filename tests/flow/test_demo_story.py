"""`afterword demo`, as somebody reads it: one page, the same every time, and commands that work."""

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.round_trips import round_trips
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.testing.process import run_afterword as run
from afterword.schedules.demo.trades import demo_fills


@pytest.fixture
def home(demo: subprocess.CompletedProcess[str]) -> str:
    """The folder that the demo says its files are in."""
    (named,) = re.findall(r"export AFTERWORD_HOME=(\S+)", demo.stderr)
    return str(named)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return json.loads(run("--home", str(tmp_path_factory.mktemp("json")), "demo", "--json").stdout)


def test_the_page_is_the_same_on_every_run(demo):
    again = run("demo")

    assert (demo.returncode, again.returncode) == (0, 0)
    assert demo.stdout == again.stdout


def test_the_page_is_three_screens_at_most_and_no_line_is_cut(demo):
    lines = demo.stdout.splitlines()

    assert len(lines) <= 130
    assert max(map(len, lines)) <= 100
    assert "…" not in demo.stdout


def test_the_page_says_that_prices_are_split_adjusted_and_where_they_come_from(demo):
    page = " ".join(demo.stdout.split())

    assert "in USD, split-adjusted: each is for one share as of 2013-03-01" in page
    assert "Source: Quandl WIKI, public domain" in page


def test_the_question_about_google_finds_all_its_shorts_of_2008_and_how_they_ended(report):
    answer = report["answers"][0]
    fills = parse_fills(demo_fills(), "demo", "fills")
    closed = [trip for chain in chain_fills(fills) for trip in round_trips(chain).closed]
    expected = {
        trip.closed_at.date().isoformat()
        for trip in closed
        if (trip.market.symbol, trip.direction, trip.closed_at.year) == ("xyz:GOOG", "short", 2008)
    }

    assert answer["question"] == "How did our GOOG shorts of 2008 end?"
    assert {found["day"] for found in answer["found"]} == expected
    assert len(answer["found"]) == len(expected) == 3
    for found in answer["found"]:
        assert re.match(r"short xyz:GOOG from .* closed [+-]\d+\.\d\d % net", found["text"])


def test_the_question_before_a_short_finds_the_instruction_that_forbids_it(report):
    answer = report["answers"][1]

    assert answer["question"] == "May I short IBM before earnings?"
    assert [found["text"] for found in answer["found"]] == [
        "Never short IBM in the week before its earnings"
    ]


def test_the_decision_is_judged_when_it_is_due_by_what_it_was_recorded_with(report):
    one = report["decision"]

    assert (one["recorded_at"], one["matures_at"]) == (
        "2007-09-05T00:00:00.000000Z",
        "2007-09-12T00:00:00.000000Z",
    )
    assert one["judged_early"] == 0
    assert one["context"]["closes"][-1] == "144.16"  # as it was traded, known when it was recorded
    assert one["entry_usd"] == "144.97"  # the first price after it
    assert (one["exit_usd"], one["outcome"]) == ("135.49", "wrong")


def test_the_record_of_all_its_turns_stands_beside_the_one_decision(demo, report):
    record = report["record"]
    page = " ".join(demo.stdout.split())

    assert record["decisions"] == 423 == sum(record[word] for word in ("right", "wrong", "noise"))
    assert record["setup"] == "longs after a rise beyond the band"
    assert record["setup_record"] == ("right 44.2 of 80 stretches, 55 % (44–66 %); base 40.5, 51 %")
    assert "Nothing can be told apart from luck yet: 254 stretches" in page
    assert f"What would change this: {record['change']}" in page


def test_a_loss_that_the_record_does_not_support_never_reaches_a_prompt_as_a_lesson(demo, report):
    assert (report["record"]["patterns"], report["record"]["next_prompt"]) == ([], "")
    assert "the agent reads no lesson" in " ".join(demo.stdout.split())
    assert "Before another" not in demo.stdout


def test_a_planted_edge_graduates_and_a_coin_never_does_though_the_usual_rule_lets_it_in(
    demo, report
):
    seed, coin = report["methods"]["seed"], report["methods"]["coin"]
    page = " ".join(demo.stdout.split())

    assert "its edge is planted" in page
    assert seed["made_from"] >= 10 and seed["made_at"] < seed["strict_at"]
    # Of its own calls only: those it was made from count nothing.
    assert seed["before"] == "right 18 of 23 stretches, 11.2 without skill"
    assert seed["since"] == "right 115 of 157 stretches, 80.7 without skill"
    assert (coin["strict_at"], coin["before"]) == (None, "")
    assert coin["literal_at"] is not None
    assert coin["record"] == "right 69 of 141 stretches, 70.9 without skill"
    assert seed["uid"] in report["methods"]["block"]
    assert coin["uid"] not in report["methods"]["block"]
    assert page.count("graduated, right 18 of 23 stretches, 11.2 without skill") == 1


def test_a_replay_of_a_year_says_that_nothing_is_told_apart_from_luck_and_its_hash(demo, report):
    """The rule earned much that year, and a coin lost: the verdict is not fooled by one year."""
    one, page = report["replay"], " ".join(demo.stdout.split())

    assert (one["from_day"], one["to_day"], one["rule"]) == ("2008-01-01", "2009-01-01", "momentum")
    assert one["decisions"] == 1_060 and one["placebos"] == 4
    assert re.search(r"momentum \+\d+\.\d σ; .* a coin −\d+\.\d σ", one["result"])
    assert one["verdict"] == "None of 2 methods that were tried can be told apart from luck."
    assert re.fullmatch("[0-9a-f]{64}", one["state_hash"])
    for field in ("result", "verdict", "state_hash"):
        assert one[field] in page


def test_the_replay_of_the_demo_can_be_read_on_its_page_and_as_any_replay(home, report):
    page = Path(home, "replay.html").read_text()
    (listed,) = json.loads(run("replay", "ls", "--json", home=home).stdout)

    assert "Replay demo" in page and report["replay"]["verdict"] in page
    assert (listed["name"], listed["state"]) == ("demo", "done")
    assert listed["state_hash"] == report["replay"]["state_hash"]


def test_every_job_ended_and_every_closed_position_is_a_memory(report):
    assert report["jobs"] == {"done": 427 + 426 + 486 + 2}
    assert report["trades"]["round_trips"] == 423
    assert report["memories"] == 423 + 3  # what the agent stored


def test_every_command_it_says_to_try_next_works_on_its_files(demo, home):
    _, _, after = demo.stdout.partition("Try next\n")
    lines = [line.strip().replace("$AFTERWORD_HOME", home) for line in after.splitlines()]

    assert len(lines) == 12
    for line in lines:
        program, *arguments = shlex.split(line)
        done = run(*arguments, home=home)
        assert (program, done.returncode, done.stderr) == ("afterword", 0, ""), line
        assert done.stdout, line


def test_two_turns_teach_what_a_third_is_shown(demo, report):
    taught = report["taught"]

    assert taught["reviewed"] == 2
    assert taught["trigger"] == "make the weekly risk report of my portfolio"
    assert taught["steps"] in taught["block"]
    assert "is shown: get_positions(account) → " in " ".join(demo.stdout.split())


def test_importing_its_fills_again_finds_them_all_known(home):
    done = run("history", "import", f"{home}/demo-fills.json", "--account", "demo", home=home)

    assert re.search(r"fills new +0\n", done.stdout)
    assert re.search(r"fills known +2,511\n", done.stdout)


def test_a_folder_with_something_in_it_is_refused_and_left_as_it_is(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("mine")

    done = run("--home", str(tmp_path), "demo")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"afterword: home: {tmp_path} is not an empty folder; accepted: a new or empty folder for "
        "the demo, or no --home for a temporary one\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_no_service_of_the_environment_is_asked(demo, tmp_path: Path):
    nowhere = "http://127.0.0.1:1"

    done = run(
        "demo",
        HOME=str(tmp_path / "mine"),  # the environment variable, not the option `--home`
        redis_url="redis://127.0.0.1:1/0",
        embedding_provider="openai",
        embedding_base_url=nowhere,
        llm_provider="anthropic",
        llm_base_url=nowhere,
        llm_api_key="k",
        role_judge="model",
        price_source="hyperliquid",
    )

    assert (done.returncode, done.stdout) == (0, demo.stdout)
    assert not (tmp_path / "mine").exists(), "the demo should not touch the user's own files"
