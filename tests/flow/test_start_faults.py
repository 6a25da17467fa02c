"""A process that cannot start says why, in one line, and stops whatever it had started."""

import shutil
import socket
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.settings import load
from afterword.pipeline.testing.process import run_afterword
from afterword.pipeline.testing.wait import wait_until
from afterword.schedules.up import Up
from afterword.workers.observability.health import Health
from afterword.workers.observability.health_server import HealthServer
from afterword.workers.worker.app import build_context

FIRST_PORT = 39564


def idle(home: Path) -> Up:
    """Return everything in one process, not started."""
    return Up(build_context(load(home=home, synchronous="NORMAL", shutdown_grace_s=0.2)), table=())


def test_a_file_in_the_place_of_a_folder_is_named(home: Path):
    home.mkdir()
    (home / "owners").touch()

    done = run_afterword("up", home=home)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        f"afterword: {home}/owners: File exists; a file is where a folder"
    )


def test_a_worker_process_says_in_one_line_why_it_cannot_start(home: Path):
    home.mkdir()
    (home / "owners").touch()

    module = "afterword.workers.worker.child"
    done = run_afterword(str(home), "quick", "1", module=module)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        f"afterword: {home}/owners: File exists; a file is where a folder"
    )
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["up", "dispatcher", "worker"])
@pytest.mark.parametrize("url", ["localhost:6379", "redis://:se:cret@host:port/0"])
def test_what_is_no_redis_url_is_refused_by_its_setting_and_not_repeated(
    home: Path, command: str, url: str
):
    done = run_afterword(command, home=home, redis_url=url)

    assert done.returncode == 2
    assert done.stderr.startswith("afterword: AFTERWORD_REDIS_URL: ")
    assert (done.stderr.count("\n"), "se:cret" in done.stderr) == (1, False)


@pytest.mark.parametrize("command", ["up", "dispatcher", "worker"])
def test_a_redis_that_does_not_answer_is_named(home: Path, command: str):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    url = f"redis://127.0.0.1:{port}/0"
    done = run_afterword(command, "--fail-fast", home=home, redis_url=url)

    assert done.returncode == 1
    assert done.stderr.startswith("afterword: Redis does not answer")
    assert done.stderr.count("\n") == 1


def test_stopping_what_was_never_started_leaves_no_owner_behind(home: Path):
    up = idle(home)

    up.stop()

    assert list((home / "owners").iterdir()) == []


def test_stopping_what_was_started_in_part_leaves_no_owner_behind(home: Path):
    up = idle(home)
    up.runner.start()  # and the dispatcher's thread never was

    up.stop()

    assert list((home / "owners").iterdir()) == []


def test_an_error_while_stopping_does_not_hide_the_error_that_came_first(home: Path):
    told: list[str] = []
    stop_listening = listen(lambda action, _facts: told.append(action))

    with pytest.raises(UnavailableError, match="the first error"), idle(home) as up:
        up.start()
        wait_until(lambda: len(list((home / "owners").glob("*.lock"))) == 2)
        up.dispatcher.stop.set()
        wait_until(lambda: not up.is_alive())
        shutil.rmtree(home / "owners")
        (home / "owners").touch()  # the worker cannot take its own file out of here any more
        raise UnavailableError("the first error")
    stop_listening()

    assert "up.untidy" in told


def test_a_health_server_that_never_answered_frees_its_port():
    server = HealthServer(FIRST_PORT, Health(monotonic), CollectorRegistry())

    server.stop()

    with socket.create_server(("127.0.0.1", server.port)):
        pass
