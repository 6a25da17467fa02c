"""What `deploy/` says about settings, metrics, ports and time-outs is what the program does."""

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from afterword.pipeline.clock import monotonic
from afterword.pipeline.core.store import Stores
from afterword.pipeline.settings import SETTINGS_PREFIX, Settings, load
from afterword.pipeline.testing.process import ask_port
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.schedules.rows import entries
from afterword.workers.broker.broker import check_server, connect
from afterword.workers.observability import CATALOGUE, Metrics, watch
from afterword.workers.observability.health import Health, loop_limit_s
from afterword.workers.observability.health_server import serving
from afterword.workers.routes import ROUTES
from afterword.workers.worker.app import build_context

DEPLOY = Path(__file__).parents[2] / "deploy"
BACKUP = DEPLOY / "systemd/afterword-backup.service"
UNITS = sorted(set((DEPLOY / "systemd").glob("*.service")) - {BACKUP})
PROMTOOL = shutil.which("promtool")

ENDINGS = {"counter": ("_total",), "info": ("_info",), "gauge": ("",)}
"""What OpenMetrics adds to a family's name in a sample, by type; a histogram adds three."""


@pytest.fixture(scope="module")
def exposition(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a real server answers over HTTP."""
    context = build_context(load(home=tmp_path_factory.mktemp("home")))
    context.stores.group("main", create=True)
    metrics, health = Metrics(ROUTES), Health(monotonic)
    health.watch_loop("heartbeat", loop_limit_s(context.settings))
    watch(metrics, context, health, threading.Event(), entries)
    with serving(49464, health, metrics.registry) as port:
        accept = "application/openmetrics-text; version=1.0.0"
        _status, text = ask_port(port, "/metrics", accept)
    context.stores.close()
    return text


def sample_names(exposition: str) -> set[str]:
    """Return every name a query could ask for."""
    names = set()
    for family in text_string_to_metric_families(exposition):
        endings = ENDINGS.get(family.type, ("_bucket", "_sum", "_count"))
        names |= {family.name + ending for ending in endings}
    return names


def queries() -> Iterator[tuple[str, str]]:
    """Yield where each query stands, and the query."""
    rules = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())
    for group in rules["groups"]:
        for rule in group["rules"]:
            yield f"alert {rule.get('alert') or rule['record']}", rule["expr"]
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", ()):
            yield f"panel {panel['title']}", target["expr"]


def dashboard() -> dict[str, Any]:
    board: dict[str, Any] = json.loads((DEPLOY / "grafana/dashboards/afterword.json").read_text())
    return board


def env_example() -> str:
    """Return what `env.example` must say: every setting, its meaning, its default."""
    lines = [
        "# Every setting and its default. Copy it, and take the # from the lines you change:",
        "# to deploy/afterword.env for Compose, to /etc/afterword/afterword.env for systemd.",
    ]
    for name, field in Settings.model_fields.items():
        lines += ["", *textwrap.wrap(f"# {field.description}", 100, subsequent_indent="# ")]
        lines.append(f"#{SETTINGS_PREFIX}{name.upper()}={default_of(name)}")
    return "\n".join(lines) + "\n"


def default_of(name: str) -> str:
    default = Settings.model_fields[name].get_default(call_default_factory=True)
    if default is None:
        return ""
    return json.dumps(default) if isinstance(default, dict) else str(default)


def unit(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their case
    parser.read_string(path.read_text())
    return parser


def compose() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return services


def test_the_exposition_is_exactly_the_catalogue(exposition: str):
    families = {family.name for family in text_string_to_metric_families(exposition)}

    assert families == {named.family for named in CATALOGUE.values()}


def test_every_query_asks_for_metrics_that_exist(exposition: str):
    known = sample_names(exposition)
    unknown = {
        (where, name)
        for where, query in queries()
        for name in re.findall(r"\bafterword_\w+", query)
        if name not in known
    }

    assert unknown == set()


def test_every_query_names_labels_that_exist():
    known = {label for named in CATALOGUE.values() for label in named.labels}
    known |= {"le", "instance", "process", "pid"}  # of a histogram, of a target, of a scrape file
    unknown = {
        (where, label)
        for where, query in queries()
        for names in re.findall(r"(?:by|on) \(([^)]*)\)", query)
        for label in names.split(", ")
        if label and label not in known
    }

    assert unknown == set()


def test_every_alert_says_what_to_do_and_has_its_section_in_the_runbook():
    groups = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text())["groups"]
    alerts = [rule for group in groups for rule in group["rules"] if "alert" in rule]
    runbook = (DEPLOY.parent / "docs/runbook.md").read_text()
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", runbook, re.DOTALL | re.MULTILINE))

    assert list(sections) == [rule["alert"] for rule in alerts]
    for rule in alerts:
        assert rule["annotations"].keys() == {"summary", "action", "runbook_url"}
        assert rule["annotations"]["runbook_url"] == f"docs/runbook.md#{rule['alert'].lower()}"
        section = sections[rule["alert"]]
        assert section.startswith(f"\n*{rule['labels']['severity']}*. ")
        assert "\n- **Check**: " in section and "\n- **Do**: " in section


@pytest.mark.skipif(PROMTOOL is None, reason="no promtool on the PATH")
@pytest.mark.parametrize(
    "arguments",
    [("check", "config", "prometheus.yml"), ("test", "rules", "alerts_test.yml")],
)
def test_promtool_accepts_the_rules_and_they_fire_when_they_should(arguments: tuple[str, ...]):
    assert PROMTOOL is not None
    done = subprocess.run(
        [PROMTOOL, *arguments], cwd=DEPLOY / "prometheus", capture_output=True, text=True
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_dashboard_finds_its_data_source_and_its_panels_do_not_overlap():
    (source,) = yaml.safe_load(
        (DEPLOY / "grafana/provisioning/datasources/prometheus.yaml").read_text()
    )["datasources"]
    panels = dashboard()["panels"]
    cells = [
        (panel["gridPos"]["x"] + x, panel["gridPos"]["y"] + y)
        for panel in panels
        for x in range(panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["h"])
    ]

    assert {panel["datasource"]["uid"] for panel in panels if "datasource" in panel} == {
        source["uid"]
    }
    assert len(cells) == len(set(cells))
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_env_example_has_every_setting_its_meaning_and_its_default():
    assert (DEPLOY / "env.example").read_text() == env_example()


def test_env_example_means_the_defaults(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("AFTERWORD_AUTOSTART")  # off in tests
    before = load()
    for line in (DEPLOY / "env.example").read_text().splitlines():
        name, given, value = line.removeprefix("#").partition("=")
        if (
            given
            and name.startswith(SETTINGS_PREFIX)
            and default_of(name[len(SETTINGS_PREFIX) :].lower())
        ):
            monkeypatch.setenv(name, value)

    assert load() == before


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_comes_back_always_and_stops_within_its_grace(path: Path):
    service = unit(path)["Service"]

    assert service["Restart"] == "always"
    assert float(service["TimeoutStopSec"]) > Settings.model_fields["shutdown_grace_s"].default
    assert unit(path)["Unit"]["StartLimitIntervalSec"] == "0"


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_and_a_container_run_commands_and_settings_that_exist(path: Path):
    given = re.findall(rf"^Environment={SETTINGS_PREFIX}(\w+)=", path.read_text(), re.MULTILINE)
    command = unit(path)["Service"]["ExecStart"].split()

    assert {name.lower() for name in given} <= set(Settings.model_fields)
    assert command[0].endswith("/afterword") and command[1:] in (["worker"], ["dispatcher"])


def test_the_backup_unit_adds_a_copy_and_removes_those_older_than_two_weeks(
    tmp_path: Path, stores: Stores
):
    backups = tmp_path / "backups"
    old, recent = backups / "2026-01-01T02-30-00Z", backups / "2026-02-01T02-30-00Z"
    for folder, days in ((old, 16), (recent, 2)):
        folder.mkdir(parents=True)
        past = time.time() - days * 86_400
        os.utime(folder, (past, past))
    service = unit(BACKUP)["Service"]
    for line in (service["ExecStart"], service["ExecStartPost"]):
        here = line.replace("/var/lib/afterword-backups", str(backups))
        here = here.replace("/opt/afterword/bin/afterword", f"{sys.executable} -m afterword")
        # What systemd makes of the line: `$$` is `$`, `%%` is `%`, and no shell reads it.
        words = shlex.split(here.replace("$$", "$").replace("%%", "%"))
        subprocess.run(words, check=True, env={"AFTERWORD_HOME": str(stores.home)})

    (new,) = set(backups.iterdir()) - {recent}
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d-\d\d-\d\dZ", new.name)
    assert (new / "instance.sqlite").exists()


def test_prometheus_reads_the_folder_where_every_process_lists_itself_and_names_no_port():
    (scraped,) = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text())[
        "scrape_configs"
    ]
    (found,) = scraped["file_sd_configs"]
    (folder,) = {str(Path(file).parent) for file in found["files"]}
    ours = [one for one in compose().values() if one.get("image") == "afterword"]

    assert "static_configs" not in scraped
    for one in ours:
        assert one["environment"][f"{SETTINGS_PREFIX}SCRAPE_FOLDER"] == folder
        assert f"scrape:{folder}" in one["volumes"]
        assert f"{SETTINGS_PREFIX}METRICS_PORT" not in one["environment"]
    assert f"scrape:{folder}:ro" in compose()["prometheus"]["volumes"]
    for path in UNITS:
        assert f"Environment={SETTINGS_PREFIX}SCRAPE_FOLDER={folder}\n" in path.read_text()
        assert unit(path)["Service"]["RuntimeDirectory"] == Path(folder).name
        assert unit(path)["Service"]["RuntimeDirectoryMode"] == "0755"


def test_the_health_check_of_the_image_asks_by_name_and_not_by_port():
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    (check,) = re.findall(r"^HEALTHCHECK .* CMD (\[.*\])$", dockerfile, re.MULTILINE)

    assert json.loads(check) == ["afterword", "health"]


def test_the_dashboard_can_be_narrowed_to_instances_groups_and_queues():
    variables = {one["name"]: one["definition"] for one in dashboard()["templating"]["list"]}
    used = {name for _where, query in queries() for name in re.findall(r'=~"\$(\w+)"', query)}

    assert variables.keys() == used == {"instance", "group", "queue"}
    for definition in variables.values():
        metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", definition).groups()
        assert metric in CATALOGUE
        assert label in ("instance", *CATALOGUE[metric].labels)


def test_a_container_of_ours_may_finish_what_runs_before_it_is_killed():
    grace = Settings.model_fields["shutdown_grace_s"].default
    for one in compose().values():
        if one.get("image") == "afterword":
            assert float(one["stop_grace_period"].removesuffix("s")) > grace
            assert one["restart"] == "always"


def test_only_loopback_of_the_host_is_published():
    published = [port for one in compose().values() for port in one.get("ports", ())]

    assert published and all(port.startswith("127.0.0.1:") for port in published)


def test_every_service_that_holds_nothing_else_shares_one_network():
    shared = {name: one.get("network_mode") for name, one in compose().items()}

    assert shared.pop("pod") is None
    assert set(shared.values()) == {"service:pod"}


@pytest.mark.redis
def test_the_programs_own_check_accepts_a_server_with_redis_conf(tmp_path: Path):
    if shutil.which("redis-server") is None:
        pytest.skip("no redis-server on the PATH")
    lines = (DEPLOY / "redis.conf").read_text().splitlines()
    given = dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    given = {name: value.strip('"') for name, value in given.items() if name != "port"}
    server = RedisServer(tmp_path, given)
    server.start()
    try:
        client = connect(server.url)
        check_server(client)
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert client.config_get("save") == {"save": ""}
        client.close()
    finally:
        server.stop()
