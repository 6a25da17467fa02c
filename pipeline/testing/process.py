"""Run `afterword` in a process of its own, and ask the loopback port of a process."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path


def command_of(*line: str, home: Path | None = None, module: str = "afterword") -> list[str]:
    """Return the command of a process.

    Args:
        home: given as `--home`.
        module: the Python module to run.
    """
    named = [] if home is None else ["--home", str(home)]
    return [sys.executable, "-m", module, *named, *line]


def environment_of(**settings: object) -> dict[str, str]:
    """Return an environment with these settings only, such as `busy_timeout_s=1`.

    Unless they are given, the process has no metrics port, and no agent starts a worker. What it
    prints is as wide as in a pipe, whatever the width of the tests' terminal.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("AFTERWORD_") and name != "COLUMNS"
    }
    given = {"metrics_port": 0, "autostart": 0} | {
        name.lower(): value for name, value in settings.items()
    }
    return kept | {f"AFTERWORD_{name.upper()}": str(value) for name, value in given.items()}


def run_afterword(
    *line: str, home: Path | None = None, module: str = "afterword", **settings: object
) -> "subprocess.CompletedProcess[str]":
    """Run one command line until it ends, and return what it printed and its exit status.

    Raises:
        subprocess.TimeoutExpired: it did not end within two minutes.
    """
    return subprocess.run(
        command_of(*line, home=home, module=module),
        env=environment_of(**settings),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def ask_port(port: int, path: str, accept: str = "*/*") -> tuple[int, str]:
    """Return status and body of a request to a loopback port.

    Raises:
        OSError: no process answers.
    """
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Accept": accept})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
