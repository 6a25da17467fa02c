"""What operators do on pages, by the keyboard alone; who did it is kept."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.webdriver.common.keys import Keys

from afterword.pipeline.testing.process import run_afterword

Kill = Callable[..., list[int]]


def told(home: Path, *line: str) -> Any:
    """Return what a command says as JSON."""
    return json.loads(run_afterword(*line, "--json", home=home).stdout)


def actions(home: Path) -> list[tuple[str, str]]:
    """Return what was done on pages, the newest first."""
    return [(row["action"], row["outcome"]) for row in told(home, "browsers", "actions")]


def test_an_operator_finds_a_dead_kind_its_reason_and_revives_it(
    browser: Any, demo_home: Path, kill: Kill
):
    kill(demo_home, "rebuild_profile", 3, "the service did not answer")
    browser.open("/dead")
    assert "the service did not answer" in browser.text("main")

    reason = next(row for row in browser.rows() if "the service did not answer" in row)
    assert "rebuild_profile" in reason
    browser.tab_to("3", row="the service did not answer")
    browser.press(Keys.ENTER)
    browser.until(lambda: browser.text("h1") == "Run jobs")
    assert "3 dead jobs will be revived" in browser.text("main")

    assert "3 dead jobs due now" in browser.do("Run them")
    ready = {row["kind"]: row["states"] for row in told(demo_home, "jobs", "ls")}
    assert ready["rebuild_profile"] == {"ready": 3}
    assert actions(demo_home)[0] == ("/jobs/run", "done")


def test_two_people_act_on_one_job_and_the_second_is_told(
    browser: Any, demo_home: Path, kill: Kill
):
    job = kill(demo_home, "purge_patterns", 1, "wrong")[0]
    browser.open(f"/jobs/{job}")  # this page stays open while somebody else acts
    browser.tab_to("Run it again")
    told(demo_home, "jobs", "retry", str(job))

    browser.press(Keys.ENTER)
    browser.until(lambda: browser.text("h1") == "Changed meanwhile")
    assert "was dead after run 0 when the page showed it, and is ready" in browser.text("main")
    assert actions(demo_home)[0] == (f"/jobs/{job}/retry", "refused")


def test_a_kind_is_paused_with_a_reason_and_goes_on(browser: Any, demo_home: Path):
    browser.open("/kinds/extract_edges")
    browser.tab_to("Reason")
    browser.press("a slow disk")

    assert "extract_edges is paused" in browser.do("Pause this kind")
    listed = {row["kind"]: row["paused"] for row in told(demo_home, "jobs", "ls")}
    assert listed["extract_edges"]["note"] == "a slow disk"
    assert "is not paused" in browser.do("Send it again")


def test_spending_is_stopped_and_allowed_again(browser: Any, demo_home: Path):
    browser.open("/budget")
    browser.tab_to("Stop all spending")
    browser.press(Keys.ENTER)  # opens the form

    assert "spending is stopped" in browser.do("Stop all spending")
    assert told(demo_home, "budget", "show")["stopped"]
    assert "spending is allowed again" in browser.do("Allow spending again")
    assert not told(demo_home, "budget", "show")["stopped"]


def test_a_switch_that_somebody_else_set_is_not_set_over(browser: Any, demo_home: Path):
    browser.open("/switches/judge_facts")
    browser.tab_to("Mode")
    browser.press("shadow")
    assert "judge_facts computes and records" in browser.do("Set the mode")

    run_afterword("switch", "set", "judge_facts", "off", home=demo_home)
    browser.tab_to("Mode")
    browser.press("on")
    assert "Judge_facts was shadow before, and is off now" in browser.do("Set the mode")


def test_an_entry_of_the_schedule_runs_now(browser: Any, demo_home: Path):
    browser.open("/cron/facts.consolidate")
    assert "every 10 minutes" in browser.text("main")

    assert "consolidate_facts is due now" in browser.do("Run it now")
    assert actions(demo_home)[0] == ("/cron/facts.consolidate/run", "done")


def test_what_an_error_says_is_shown_and_never_run(browser: Any):
    shown = browser.open("/dead")

    assert "<script>document.title = 'taken'</script>" in shown
    assert browser.driver.title == "Dead jobs · Afterword"
    assert "\\u202e" in shown  # the mark that turns the direction is written out
    browser.size(320, "light")
    assert browser.overflow() <= 0
