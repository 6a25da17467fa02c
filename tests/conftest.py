"""Fixtures of all tests: a fresh home, a clock that moves only when set, seeded ids, the wheel."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

from afterword.pipeline.core.store import Store, StoreOptions, Stores
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import IdSource, seeded_uids
from afterword.pipeline.settings import load
from afterword.pipeline.testing.autostarted import StartedWorker
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.redis_server import REDIS_PROGRAM, RedisServer
from afterword.schedules.up import Up
from afterword.workers.testing import TEST_ROUTES
from afterword.workers.worker.app import build_context

# A loaded machine is slow, not wrong.
hypothesis_settings.register_profile("afterword", deadline=None)
hypothesis_settings.load_profile("afterword")


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own AFTERWORD_* settings must not reach a test; no agent starts a worker."""
    for name in list(os.environ):
        if name.startswith("AFTERWORD_") and name not in {
            "AFTERWORD_SHARED",
            "AFTERWORD_TEST_EVERYTHING",
        }:
            monkeypatch.delenv(name)
    monkeypatch.setenv("AFTERWORD_AUTOSTART", "0")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def ids() -> IdSource:
    return seeded_uids(1)


@pytest.fixture
def stores(home: Path, clock: ManualClock, ids: IdSource) -> Iterator[Stores]:
    """An empty installation; syncing is left to the tests that are about it."""
    stores = Stores(home, StoreOptions(synchronous="NORMAL"), clock, ids)
    yield stores
    stores.close()


@pytest.fixture
def store(stores: Stores) -> Store:
    return stores.group("main", create=True)


@pytest.fixture
def instance(stores: Stores) -> Store:
    return stores.instance


@pytest.fixture
def writer(store: Store, clock: ManualClock, ids: IdSource) -> Writer:
    """The agent, writing in the group `main`."""
    return Writer(store, clock, ids)


@pytest.fixture
def owner(writer: Writer) -> Writer:
    return replace(writer, actor="owner")


@pytest.fixture
def system(writer: Writer) -> Writer:
    return replace(writer, actor="system")


@pytest.fixture
def command(home: Path, clock: ManualClock, ids: IdSource) -> Command:
    """The command line, run in this process."""
    return Command(home, clock, ids)


@pytest.fixture
def up(home: Path) -> Iterator[Callable[..., Up]]:
    """Start a dispatcher and a worker in this process, with jobs made for tests."""
    started: list[Up] = []

    def start(threads: int = 4, **settings: object) -> Up:
        given = {"synchronous": "NORMAL", "shutdown_grace_s": 0.2} | settings
        context = build_context(load(home=home, **given))
        context.stores.group("main", create=True)
        one = Up(context, table=(), routes=TEST_ROUTES, threads=threads)
        started.append(one)
        one.start()
        return one

    yield start
    for one in started:
        if one.is_alive():
            one.stop()


@pytest.fixture
def started(home: Path) -> Iterator[StartedWorker]:
    """The worker that agents of the home start, if they do; it is gone after the test."""
    one = StartedWorker(home)
    yield one
    one.kill()


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A private redis-server of this test's own."""
    if REDIS_PROGRAM is None:
        if os.environ.get("AFTERWORD_TEST_EVERYTHING"):
            pytest.fail("redis-server is not on the PATH, and nothing may be left out")
        pytest.skip("no redis-server on the PATH")
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel and the source archive."""
    folder = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel"]
    subprocess.run(
        [*build, "-d", str(folder)], cwd=Path(__file__).parents[1], check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="session")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new environment with the wheel; it finds the dependencies where this one has them.

    So nothing is downloaded. A `.pth` file adds a folder to the path without reading the `.pth`
    files in it: our own sources, installed here in editable form, stay out.
    """
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"]
    subprocess.run([*install, *offline, str(wheel)], check=True, capture_output=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    theirs = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "dependencies.pth").write_text("\n".join(sorted(theirs)))
    return folder
