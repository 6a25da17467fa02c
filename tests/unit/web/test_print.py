"""A page on paper: what it says, without what a reader of paper cannot press."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.web.test_every_page import ASKS, PAGES

PAPER_PX = 718
"""Between the margins of an A4 page, at 96 pixels an inch."""

_FAULTS = """
const shown = (item) => item.checkVisibility();
const inks = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
const faults = [];
for (const item of document.querySelectorAll("nav, button, input, select, textarea, .skip, .live"))
  if (shown(item)) faults.push(`${item.tagName} is printed`);
for (const item of document.querySelectorAll("main *")) {
  const says = [...item.childNodes].some((part) => part.nodeType === 3 && part.data.trim());
  if (!says || !shown(item) || item.closest("svg")) continue;
  const box = item.getBoundingClientRect();
  if (box.right > innerWidth + 1 || box.left < -1) faults.push(`cut: ${item.innerText}`);
  if (inks(getComputedStyle(item).color).some((part) => part > 0x77))
    faults.push(`pale: ${item.innerText}`);
}
if (inks(getComputedStyle(document.body).backgroundColor).some((part) => part < 255))
  faults.push("the paper is not white");
return faults;
"""


@pytest.fixture
def paper(browser: Any) -> Iterator[Any]:
    """Return a browser that shows pages as it prints them, from a dark screen."""
    browser.size(PAPER_PX, "dark")
    emulate = browser.driver.execute_cdp_cmd
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    emulate("Emulation.setEmulatedMedia", {"media": "print", "features": [dark]})
    yield browser
    emulate("Emulation.setEmulatedMedia", {"media": "", "features": []})


@pytest.mark.parametrize("path", PAGES)
def test_a_printed_page_is_readable_and_has_nothing_to_press(
    paper: Any, examples: dict[str, str], path: str
):
    paper.open(path.format_map(examples) + ASKS.get(path, ""))

    assert paper.driver.execute_script(_FAULTS) == []
