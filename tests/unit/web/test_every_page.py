"""Every declared page opens with the demo's data and in an empty home: each has a line here."""

import os
from typing import Any

import pytest

from afterword.pipeline.areas import all_areas
from tests.unit.web.trader_pages import TRADER_ASKS, TRADER_PAGES

PAGES = {
    "/fleet": "Fleet",
    "/jobs": "Jobs",
    "/jobs/run": "Run jobs",
    "/jobs/{job}": "Job 1",
    "/dead": "Dead jobs",
    "/kinds/{kind}": "extract_edges",
    "/cron": "Schedule",
    "/cron/{entry}": "store.tidy",
    "/budget": "Budget",
    "/switches": "Switches",
    "/switches/{task}": "judge_facts",
    "/sync": "Sync",
    "/audit": "Audit",
    "/audit/{audit}": "Audit",
    "/replays": "Replays",
    "/replays/{replay}": "Replay demo",
    "/doctor": "Doctor",
    "/doctor/repairs": "Repairs",
    "/doctor/repairs/{repair}": "Repair fts",
    "/actions": "Actions",
    **TRADER_PAGES,
}
"""The heading of each page, opened with the `examples`; one that is missing here fails a test."""

ASKS = {"/jobs/run": "?state=dead", **TRADER_ASKS}
"""What pages must be asked for."""

WIDTHS = [(1_440, "light")]
if os.environ.get("AFTERWORD_PAGES"):  # make pages
    WIDTHS = [(320, "light"), (320, "dark"), (1_440, "light"), (1_440, "dark")]


def test_every_declared_page_has_a_line():
    declared = {page.path for area in all_areas() for page in area.pages}

    assert declared == PAGES.keys()


@pytest.mark.parametrize("width", WIDTHS, ids=str)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_shows_the_data_of_the_demo(
    browser: Any, examples: dict[str, str], path: str, width: tuple[int, str]
):
    browser.size(*width)
    browser.open(path.format_map(examples) + ASKS.get(path, ""))

    assert browser.text("h1") == PAGES[path]
    assert browser.complaints() == []
    assert browser.violations() == []
    assert browser.overflow() <= 0
    assert len(browser.driver.page_source.encode()) <= 300_000


@pytest.mark.parametrize("path", [path for path in PAGES if "{" not in path and path != "/pattern"])
def test_a_page_opens_where_nothing_was_written(empty_browser: Any, path: str):
    empty_browser.open(path + ASKS.get(path, ""))

    assert empty_browser.text("h1") == PAGES[path]
    assert empty_browser.complaints() == []
    assert empty_browser.violations() == []
