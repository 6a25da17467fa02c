"""Write the pictures of the pages in docs/images, from the demo's data: `python -m
reference.pictures`."""

import shutil
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from selenium import webdriver

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.gateway.access.pages import PageSessions
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.process import run_afterword

FOLDER: Final = Path(__file__).parents[1] / "docs/images"
PICTURES: Final = {"trades": "/trades", "trade": "/trades/276cb86a88b6", "methods": "/methods"}
"""The address of each page, in the demo's home."""

WIDTH, HEIGHT = 1_000, 760
"""Of a picture; pixels."""


def main() -> None:
    """Make the demo, serve it, and take the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        assert run_afterword("demo", "--json", home=home).returncode == 0
        with NetworkDoor(home) as door, closing(Stores(home, StoreOptions(), *_ORIGINS)) as stores:
            day = timedelta(days=1)
            sessions = PageSessions(stores.instance, *_ORIGINS, day, day)
            _take(f"http://127.0.0.1:{door.port}", sessions.make_link("observer"))


_ORIGINS: Final = (system_clock, random_uid)


def _take(address: str, link: str) -> None:
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(f"{address}/login?link={link}")
        for name, path in PICTURES.items():
            driver.get(address + path)
            (FOLDER / f"{name}.png").write_bytes(driver.get_screenshot_as_png())
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
