"""A page that is open follows its data while somebody looks, and says when it cannot."""

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.process import command_of, environment_of, run_afterword


def told(home: Path, *line: str) -> Any:
    """Return what a command says as JSON."""
    return json.loads(run_afterword(*line, "--json", home=home).stdout)


def test_a_visible_page_follows_its_data_and_keeps_the_focus(
    browser: Any, demo_home: Path, kill: Callable[..., list[int]]
):
    browser.open("/dead")
    link = browser.all("[data-part] a")[0]
    browser.driver.execute_script("arguments[0].focus()", link)
    target = link.get_attribute("href")

    kill(demo_home, "tidy_store", 2, "a new reason")
    browser.until(lambda: "a new reason" in browser.text("main"))
    assert browser.driver.switch_to.active_element.get_attribute("href") == target


def test_an_unchanged_page_costs_no_body(browser: Any):
    browser.open("/switches")
    statuses = browser.driver.execute_async_script(
        """
        const done = arguments[0];
        const ask = (tag) => fetch("/switches", {headers: {"Afterword-Live": "1",
          ...(tag ? {"If-None-Match": tag} : {})}, cache: "no-store"});
        ask().then((first) => ask(first.headers.get("ETag"))
          .then((second) => done([first.status, second.status])));
        """
    )
    assert statuses == [200, 304]


def test_a_page_says_that_its_server_is_gone_and_goes_on_when_it_is_back(
    browser: Any, demo_door: NetworkDoor
):
    browser.open("/switches")
    demo_door.stop()
    browser.until(lambda: "does not answer" in browser.text("p.live"))
    demo_door.start()

    browser.until(lambda: not browser.driver.find_element(By.CSS_SELECTOR, ".live").is_displayed())
    assert "judge_facts" in browser.text("main")
    browser.complaints()  # the refused connections


def test_the_fleet_does_not_notice_that_the_server_of_the_page_was_killed(
    driver: Any, open_browser: Callable[..., Any], tmp_path: Path
):
    home = tmp_path / "home"
    run_afterword("memory", "write", "The desk closes at ten", home=home)
    up = subprocess.Popen(command_of("up", home=home), env=environment_of(log_level="ERROR"))
    try:
        with NetworkDoor(home) as door:
            browser = open_browser(driver, door)
            browser.open("/jobs")
            browser.until(lambda: "no job waits" in browser.text("main"))

            door.stop(signal.SIGKILL)
            browser.until(lambda: "does not answer" in browser.text("p.live"))
            run_afterword("memory", "write", "The desk opens at nine", home=home)
            browser.until(lambda: not told(home, "jobs", "ls"))
            done = {row["kind"]: row["jobs"] for row in told(home, "jobs", "stats")}
            assert done["extract_edges"] == 2
            assert up.poll() is None

            run_afterword("jobs", "pause", "extract_edges", home=home)
            door.start()
            browser.until(lambda: "extract_edges" in browser.text("main"))
            assert not browser.driver.find_element(By.CSS_SELECTOR, ".live").is_displayed()
            browser.complaints()  # the refused connections
    finally:
        up.terminate()
        up.wait(60)


def test_a_page_works_without_its_script(browser: Any):
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open("/jobs?state=dead")
        browser.driver.find_element(By.LINK_TEXT, "Count them, then run them").send_keys(Keys.ENTER)
        browser.until(lambda: browser.text("h1") == "Run jobs")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
