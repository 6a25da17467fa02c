"""Alerts of a real Prometheus that scrapes real processes during real faults."""

import json
import re
import shutil
import signal
import socket
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from afterword.pipeline.clock import system_clock, to_micros
from afterword.pipeline.core.store import StoreOptions
from afterword.pipeline.core.store.file import connect
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.wait import wait_until

PROMETHEUS = shutil.which("prometheus")
DEPLOY = Path(__file__).parents[2] / "deploy" / "prometheus"

pytestmark = [
    pytest.mark.crash,
    pytest.mark.skipif(PROMETHEUS is None, reason="no prometheus on the PATH"),
]


class Prometheus:
    """A private server with our own configuration and rules, only faster.

    It scrapes and evaluates every second, and an alert fires two seconds after its condition began.
    """

    def __init__(self, folder: Path, scrape_folder: Path) -> None:
        config = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())
        config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        (scraped,) = config["scrape_configs"]
        scraped["scrape_timeout"] = "1s"
        (found,) = scraped["file_sd_configs"]
        found["files"] = [str(scrape_folder / Path(file).name) for file in found["files"]]
        rules = re.sub(r"\bfor: \w+", "for: 2s", (DEPLOY / "alerts.yml").read_text())
        (folder / "alerts.yml").write_text(rules)
        (folder / "prometheus.yml").write_text(yaml.safe_dump(config))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        assert PROMETHEUS is not None
        self._process = subprocess.Popen(
            [
                PROMETHEUS,
                f"--config.file={folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={folder / 'data'}",
                f"--web.listen-address={self.url.removeprefix('http://')}",
                "--log.level=error",
            ]
        )

    def query(self, expression: str) -> list[dict[str, Any]]:
        """Return the samples an expression has now."""
        asked = f"{self.url}/api/v1/query?{urllib.parse.urlencode({'query': expression})}"
        try:
            with urllib.request.urlopen(asked) as answer:
                found: list[dict[str, Any]] = json.load(answer)["data"]["result"]
        except OSError:  # it is starting
            return []
        return found

    def firing(self, severity: str = "page") -> dict[str, str]:
        """Return the alerts of a severity that fire: name and summary."""
        with urllib.request.urlopen(f"{self.url}/api/v1/alerts") as answer:
            alerts = json.load(answer)["data"]["alerts"]
        return {
            one["labels"]["alertname"]: one["annotations"]["summary"]
            for one in alerts
            if one["state"] == "firing" and one["labels"]["severity"] == severity
        }

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def fleet(site: Any) -> Any:
    """A dispatcher, a worker process, and one for isolated jobs."""
    site.start("dispatcher")
    site.start("worker")
    wait_until(site.is_whole)
    return site


@pytest.fixture
def prometheus(fleet: Any, tmp_path: Path) -> Iterator[Prometheus]:
    folder = tmp_path / "prometheus"
    folder.mkdir()
    one = Prometheus(folder, fleet.home / "scrape")
    wait_until(lambda: one.query(f"count(up == 1) == {len(fleet.fleet()['processes'])}"))
    yield one
    one.stop()


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    return list(group["rules"])


def test_a_healthy_fleet_is_found_by_its_files_and_pages_nobody(fleet: Any, prometheus: Prometheus):
    fleet.write()
    wait_until(lambda: prometheus.query('afterword_jobs_ended_total{outcome="done"} > 0'))
    wait_until(lambda: prometheus.query("afterword:nothing_runs") == [])
    named = {name for rule in rules() for name in re.findall(r"\bafterword_\w+", rule["expr"])}
    empty = {name for name in named if not prometheus.query(f"{name}")}
    targets = {
        (one["metric"]["process"], int(one["metric"]["pid"])) for one in prometheus.query("up")
    }

    assert prometheus.firing() == {}
    assert targets == {
        *(("dispatcher", pid) for pid in fleet.pids(role="dispatcher")),
        *(("worker", pid) for pid in fleet.pids("quick")),
        *(("isolation", pid) for pid in fleet.pids("alone")),
    }
    # What has no sample on a healthy fleet without a model, decisions or damage.
    assert empty <= {
        "afterword_audit_composite",
        "afterword_circuit_open",
        "afterword_cron_missed_ticks_total",
        "afterword_llm_questions_total",
        "afterword_role_decisions_parked",
        "afterword_role_decisions",
        "afterword_role_oldest_ripe_age_seconds",
        "afterword_store_damaged",
        "afterword_store_refused_total",
    }


def test_a_redis_that_is_away_pages_once_and_names_who_misses_it(
    fleet: Any, prometheus: Prometheus, redis_server: RedisServer
):
    redis_server.kill()
    fleet.write()
    wait_until(lambda: "AfterwordRedisAway" in prometheus.firing(), timeout_s=60)
    fired = prometheus.firing()

    assert list(fired) == ["AfterwordRedisAway"]
    for pid in fleet.pids():
        assert f" {pid} at 127.0.0.1:" in fired["AfterwordRedisAway"]

    redis_server.start()
    wait_until(lambda: prometheus.firing() == {}, timeout_s=60)


def test_workers_that_stand_still_page_once_and_are_named(fleet: Any, prometheus: Prometheus):
    pids = fleet.pids()
    for pid in pids:
        fleet.signal(pid, signal.SIGSTOP)
    fleet.write()
    wait_until(lambda: "AfterwordNoWorker" in prometheus.firing(), timeout_s=90)
    wait_until(lambda: "AfterwordProcessFrozen" in prometheus.firing("ticket"), timeout_s=90)

    assert list(prometheus.firing()) == ["AfterwordNoWorker"]
    for pid in pids:
        assert f"pid {pid} at 127.0.0.1:" in prometheus.firing()["AfterwordNoWorker"]


def test_a_fleet_that_is_killed_whole_pages_once(fleet: Any, prometheus: Prometheus):
    fleet.stop()
    wait_until(lambda: "AfterwordMetricsAbsent" in prometheus.firing(), timeout_s=60)

    assert list(prometheus.firing()) == ["AfterwordMetricsAbsent"]


def test_a_page_overwritten_under_a_running_fleet_pages_once_within_a_minute(
    fleet: Any, prometheus: Prometheus
):
    fleet.write()
    wait_until(lambda: prometheus.query('afterword_jobs_ended_total{outcome="done"} > 0'))
    (path,) = (fleet.home / "groups").glob("*.sqlite")
    with path.open("r+b") as file:  # the last page but one: no job's, and in nobody's way
        file.seek(path.stat().st_size - 2 * 4096)
        file.write(b"\xa5" * 4096)
    wait_until(lambda: "AfterwordStoreDamaged" in prometheus.firing(), timeout_s=60)

    assert prometheus.firing() == {"AfterwordStoreDamaged": "The file of main is damaged"}


def test_a_lease_that_no_process_works_on_is_noticed(fleet: Any, prometheus: Prometheus):
    fleet.write()
    wait_until(lambda: prometheus.query('afterword_jobs_ended_total{outcome="done"} > 0'))
    assert fleet.run("jobs", "pause", "extract_edges").returncode == 0
    fleet.write()
    (owner,) = [one["uid"] for one in fleet.fleet()["processes"] if "quick" in one["queues"]]
    (path,) = (fleet.home / "groups").glob("*.sqlite")
    began = to_micros(system_clock() - timedelta(minutes=5))
    conn = connect(path, StoreOptions())
    conn.execute(
        "UPDATE jobs SET state = 'running', leased_at = ?, lease_owner = ?, lease_until = ?"
        " WHERE kind = 'extract_edges'",
        (began, owner, began),
    )
    conn.close()
    wait_until(lambda: "AfterwordLeaseWithoutSlot" in prometheus.firing("ticket"), timeout_s=60)

    said = prometheus.firing("ticket")["AfterwordLeaseWithoutSlot"]
    assert said == "1 jobs are leased, but no process runs them"
