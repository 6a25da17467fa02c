"""What the network door counts of itself, read where Prometheus reads it."""

import json
import socket
import urllib.request
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.wait import wait_until

FIRST_PORT = 49_600
"""The first port that is tried for the metrics of the door; tests beside this one have others."""

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NetworkDoor]:
    home = tmp_path_factory.mktemp("served") / "home"
    with NetworkDoor(home, metrics_port=FIRST_PORT) as door:
        yield door


def scrape(door: NetworkDoor) -> Samples:
    """Return the samples of the process, found by its scrape file."""
    (listed,) = (door.home / "scrape").glob("serve-*.json")
    (address,) = json.loads(listed.read_text())[0]["targets"]
    with urllib.request.urlopen(f"http://{address}/metrics") as answer:
        text = answer.read().decode()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples.get((f"afterword_{name}", frozenset(labels.items())), 0.0)


def test_requests_are_counted_by_route_status_and_role(door: NetworkDoor) -> None:
    tool = {"route": "/v1/tools/{name}", "role": "agent"}
    before = scrape(door)

    for query in ("a", "b", {"not": "a text"}):
        door.ask("POST", "/v1/tools/memory_search", {"query": query})
    door.ask("GET", "/v1/memory/77", token="owner")
    door.ask("GET", "/v1/memory/78", token="owner")
    door.ask("GET", "/v1/manifest", token=None)
    after = scrape(door)

    def more(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    assert more("http_requests_total", **tool, status="2xx") == 2
    assert more("http_requests_total", **tool, status="4xx") == 1
    assert more("http_request_seconds_count", route="/v1/tools/{name}") == 3
    memory = {"route": "/v1/memory/{memory}", "role": "owner", "status": "4xx"}
    assert more("http_requests_total", **memory) == 2
    assert more("http_requests_total", route="other", role="other", status="4xx") == 1
    assert [more("http_refusals_total", code=code) for code in ("not_found", "unauthorized")] == [
        2,
        1,
    ]
    assert more("http_refusals_total", code="invalid_input") == 1
    assert more("http_tokens_total", known="yes") == 2  # once for each token


def test_open_connections_are_shown_and_leave_again(door: NetworkDoor) -> None:
    with socket.create_connection(("127.0.0.1", door.port)):
        wait_until(lambda: value(scrape(door), "http_connections") == 1)
    wait_until(lambda: value(scrape(door), "http_connections") == 0)


def test_the_port_of_metrics_is_of_this_machine_and_needs_no_token(door: NetworkDoor) -> None:
    assert door.ask("GET", "/metrics", token=None).status == 401
    assert door.ask("GET", "/metrics", token="observer").status == 404
    assert value(scrape(door), "late_briefs_total") == 0
