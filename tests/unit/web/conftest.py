"""A real browser that is logged in at a real server, over the demo's home and an empty one."""

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from sqlalchemy import text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.store import StoreOptions, Stores, writing
from afterword.pipeline.gateway.access.model import PageRole
from afterword.pipeline.gateway.access.pages import PageSessions
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.process import run_afterword
from tests.unit.web.trader_pages import TRADER_EXAMPLES, add_examples

AXE: Final = Path(__file__).parents[3] / ".venv/axe/node_modules/axe-core/axe.min.js"
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
WAIT_S: Final = 30

HOSTILE: Final = (
    "<script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\"> "
    "\u202egnol\u202c \u05e9\u05dc\u05d5\u05dd " + "w" * 10_000
)
"""An error with markup, right-to-left text and a word without end."""


class Browser:
    """One window at the pages of a server; `door` can be stopped and started beneath it."""

    def __init__(self, driver: webdriver.Chrome, door: NetworkDoor) -> None:
        self.driver, self.door = driver, door

    @property
    def address(self) -> str:
        """Where the server is."""
        return f"http://127.0.0.1:{self.door.port}"

    def log_in(self, role: PageRole = "owner") -> None:
        """Let the browser in by a link, as `afterword open` does."""
        self.driver.delete_all_cookies()
        self.driver.get(self.link(role))

    def link(self, role: PageRole = "owner") -> str:
        """Return a new link to this server."""
        stores = Stores(self.door.home, StoreOptions(), system_clock, random_uid)
        with closing(stores):
            day = timedelta(days=1)
            sessions = PageSessions(stores.instance, system_clock, random_uid, day, day)
            return f"{self.address}/login?link={sessions.make_link(role)}"

    def open(self, path: str) -> str:
        """Open a page; return the text of its content."""
        self.driver.get(self.address + path)
        return self.text("main")

    def text(self, selector: str) -> str:
        """Return the text of the first element of a selector."""
        return self.driver.find_element(By.CSS_SELECTOR, selector).text

    def all(self, selector: str) -> list[WebElement]:
        """Return the elements of a selector."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def rows(self) -> list[str]:
        """Return the texts of all rows at one moment: a live page may replace them."""
        script = "return [...document.querySelectorAll('tr')].map((row) => row.innerText);"
        texts: list[str] = self.driver.execute_script(script)
        return texts

    def until(self, holds: Any) -> Any:
        """Wait until a function without arguments returns something true; return it."""
        return WebDriverWait(self.driver, WAIT_S, poll_frequency=0.1).until(lambda _d: holds())

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, words: str, row: str = "") -> None:
        """Move the focus by the tab key to a link, field or button with these words.

        Fails if the tab key does not reach it.

        Args:
            row: words of the row of a table in which it stands.
        """
        for _ in range(200):
            self.press(Keys.TAB)
            label, around = self.driver.execute_script(
                "const e = document.activeElement, row = e.closest('tr');"
                "return [e.labels && e.labels[0] ? e.labels[0].innerText : e.innerText,"
                " row ? row.innerText : ''];"
            )
            if (label or "").strip() == words and row in around:
                return
        pytest.fail(f"the tab key does not reach {words!r}")

    def do(self, button: str) -> str:
        """Press a button by the keyboard alone; return what the page says then."""
        before = self.driver.find_element(By.TAG_NAME, "html").id
        self.tab_to(button)
        self.press(Keys.ENTER)
        self.until(lambda: self.driver.find_element(By.TAG_NAME, "html").id != before)
        return self.text("main")

    def complaints(self) -> list[str]:
        """Return what the console holds since the last call: errors and refused contents."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def violations(self) -> list[str]:
        """Return what axe finds wrong with the present page."""
        # By the protocol of the driver: the page's own policy lets no such script in.
        self.driver.execute_script(AXE.read_text())
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {resultTypes: ['violations']}).then((r) => done(r.violations));"
        )
        return [f"{one['id']}: {json.dumps([n['html'] for n in one['nodes']])}" for one in found]

    def size(self, width: int, scheme: str) -> None:
        """Set the width of the page, in CSS pixels, and `light` or `dark`."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than its window."""
        script = "const e = document.documentElement; return e.scrollWidth - e.clientWidth;"
        pixels: int = self.driver.execute_script(script)
        return pixels


def _require(what: bool, words: str) -> None:
    if what:
        return
    if os.environ.get("AFTERWORD_TEST_EVERYTHING"):
        pytest.fail(words)
    pytest.skip(words)


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    """Return one Chromium for all tests of a process."""
    _require(bool(CHROMIUM and DRIVER), "no chromium and chromedriver on the PATH")
    _require(AXE.exists(), "no axe-core; make .venv/axe/.ready installs it")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    driver.set_script_timeout(WAIT_S)
    driver.set_page_load_timeout(60)
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home that the demo made, with an audit and dead jobs; a copy for each process."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    home = tmp_path_factory.mktemp("demo") / "home"
    with (shared / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "demo.made").exists():
            make_demo(shared / "demo.home")
            (shared / "demo.made").touch()
    shutil.copytree(shared / "demo.home", home)
    return home


def make_demo(home: Path) -> None:
    """Make the home of the demo, with an audit and dead jobs."""
    assert run_afterword("demo", "--json", home=home).returncode == 0
    assert run_afterword("audit", "run", home=home).returncode == 0
    kill_jobs(home, "embed_memories", 3, HOSTILE)
    add_examples(home)


@pytest.fixture(scope="session")
def examples(demo_home: Path) -> dict[str, str]:
    """Return what stands for the parts of paths, in the demo's home."""
    audit = json.loads(run_afterword("audit", "show", "--json", home=demo_home).stdout)
    replays = json.loads(run_afterword("replay", "ls", "--json", home=demo_home).stdout)
    return {
        "job": "1",
        "kind": "extract_edges",
        "entry": "store.tidy",
        "task": "judge_facts",
        "repair": "fts",
        "audit": audit["uid"],
        "replay": replays[0]["name"],
        **TRADER_EXAMPLES,
    }


def kill_jobs(home: Path, kind: str, number: int, error: str) -> list[int]:
    """Add dead jobs that died of an error, as failed runs leave them; return their numbers."""
    stores = Stores(home, StoreOptions(), system_clock, random_uid)
    with closing(stores), writing(stores.group("main", create=True)) as conn:
        before = conn.execute(text("SELECT coalesce(max(id), 0) FROM jobs")).scalar_one()
        works = [{"memory_id": -1 - before - place} for place in range(number)]
        add_many(conn, Kind(kind), works, system_clock())
        died = text(
            "UPDATE jobs SET state = 'dead', attempts = 5, last_error = :error WHERE id > :before"
        )
        conn.execute(died, {"error": error, "before": before})
        rows = conn.execute(text("SELECT id FROM jobs WHERE id > :before"), {"before": before})
        return list(rows.scalars())


@pytest.fixture(scope="session")
def demo_door(demo_home: Path) -> Iterator[NetworkDoor]:
    """Return a server of the demo's home."""
    with NetworkDoor(demo_home) as door:
        yield door


@pytest.fixture(scope="session")
def empty_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NetworkDoor]:
    """Return a server of a home in which nothing was written."""
    with NetworkDoor(tmp_path_factory.mktemp("empty") / "home") as door:
        yield door


@pytest.fixture
def kill() -> Callable[..., list[int]]:
    """Return what adds dead jobs to a home."""
    return kill_jobs


@pytest.fixture
def browser(driver: webdriver.Chrome, demo_door: NetworkDoor) -> Browser:
    """Return a browser that the owner is logged in with, at the demo's data."""
    return _logged_in(driver, demo_door)


@pytest.fixture
def empty_browser(driver: webdriver.Chrome, empty_door: NetworkDoor) -> Browser:
    """Return a browser that the owner is logged in with, where nothing was written."""
    return _logged_in(driver, empty_door)


@pytest.fixture
def open_browser() -> Callable[..., Browser]:
    """Return what logs the owner in at a server."""
    return _logged_in


def _logged_in(driver: webdriver.Chrome, door: NetworkDoor) -> Browser:
    browser = Browser(driver, door)
    browser.size(1440, "light")
    browser.log_in()
    browser.complaints()
    return browser
