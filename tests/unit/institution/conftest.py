"""A desk of five roles, prices around it, and the command line with captures turned on."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.testing.command import Command
from tests.unit.institution.five_roles import SETTING, outputs


@pytest.fixture(autouse=True)
def captures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "true")


@pytest.fixture
def capture(command: Command, tmp_path: Path) -> Callable[..., Any]:
    """Capture a run through the command line; return the answer of the command."""

    def write(run: str = "r1", asset: str = "BTC", cited: Any = (), **given: Any) -> Any:
        fields = {"run": run, "asset": asset, "outputs": given.pop("outputs", None)}
        for name in ("decided_at", "decision", "retrospect", "meta"):
            if name in given:
                fields[name] = given.pop(name)
        if fields["outputs"] is None:
            fields["outputs"] = outputs(*cited, **given)
        path = tmp_path / "runs.jsonl"
        path.write_text(json.dumps(fields) + "\n")
        return command("institution", "run", "capture", str(path), "--json")

    return write


@pytest.fixture
def prices(command: Command, tmp_path: Path) -> Callable[..., None]:
    """Import hourly prices: calm and level before a moment, then by what an hour multiplies."""

    def write(
        symbol: str, start: datetime, days: int, hourly: Callable[[int], float], before: int = 60
    ) -> None:
        rows, price = ["t_open_ms,open,high,low,close,volume"], 100.0
        first = start - timedelta(days=before)
        for hour in range(24 * (before + days)):
            moment = first + timedelta(hours=hour)
            price *= 1.004 if hour % 2 else 1 / 1.004
            since = hour - 24 * before
            price *= hourly(since) if since >= 0 else 1.0
            ms = int(moment.timestamp() * 1000)
            rows.append(f"{ms},{price:.4f},{price:.4f},{price:.4f},{price:.4f},1")
        path = tmp_path / f"{symbol}_1h.csv"
        path.write_text("\n".join([*rows, ""]))
        done = command("prices", "import", str(path))
        assert done.code == 0, done.err
        assert command("role", "reflect").code == 0

    return write
