"""Each route lets its callers in, and nobody else: every route has a line here."""

import re

import pytest

from afterword.pipeline.doors.http.app import CALLERS_FIELD
from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.process import run_afterword

AGENT, OWNER, READERS, ALL = "agent", "owner", "observer owner", "agent observer owner"

ROUTES = {
    "GET /v1/openapi.json": ALL,
    "GET /v1/manifest": ALL,
    "POST /v1/tools/{name}": AGENT,
    "POST /v1/brief": AGENT,
    "GET /v1/brief": ALL,
    "GET /v1/skill": ALL,
    "GET /v1/snapshot": AGENT,
    "GET /v1/personalization": AGENT,
    "GET /v1/instructions": AGENT,
    "GET /v1/pages/{asset}": AGENT,
    "GET /v1/memory": ALL,
    "POST /v1/memory": OWNER,
    "GET /v1/memory/{memory}": ALL,
    "PATCH /v1/memory/{memory}": OWNER,
    "DELETE /v1/memory/{memory}": OWNER,
    "POST /v1/memory/{memory}/restore": OWNER,
    "GET /v1/memory/{memory}/why": ALL,
    "POST /v1/sessions": AGENT,
    "GET /v1/sessions": READERS,
    "GET /v1/sessions/{session}": READERS,
    "POST /v1/sessions/end": AGENT,
    "POST /v1/turns": AGENT,
    "PATCH /v1/turns/{turn}": AGENT,
    "POST /v1/turns/{turn}/texts": AGENT,
    "GET /v1/profile": ALL,
    "POST /v1/profile/refresh": OWNER,
    "GET /v1/preferences": ALL,
    "POST /v1/preferences": OWNER,
    "GET /v1/preferences/{preference}": ALL,
    "POST /v1/preferences/{preference}/approve": OWNER,
    "POST /v1/preferences/{preference}/reject": OWNER,
    "GET /v1/learnings": ALL,
    "GET /v1/learnings/{learning}": ALL,
    "DELETE /v1/learnings/{learning}": OWNER,
    "GET /v1/profile/onboarding": ALL,
    "POST /v1/profile/onboarding": OWNER,
    "GET /v1/trades": ALL,
    "GET /v1/trades/{trade}": ALL,
    "GET /v1/decisions": ALL,
    "GET /v1/decisions/{decision}": READERS,
    "GET /v1/methodologies": ALL,
    "GET /v1/methodologies/{methodology}": ALL,
    "GET /v1/trading-cases": READERS,
    "GET /v1/trading-cases/{case}": READERS,
    "GET /v1/jobs": READERS,
    "GET /v1/jobs/{job}": READERS,
    "POST /v1/jobs/{job}/retry": OWNER,
    "GET /v1/dead": READERS,
    "POST /v1/dead/redrive": OWNER,
    "POST /v1/kinds/{kind}/pause": OWNER,
    "POST /v1/kinds/{kind}/resume": OWNER,
    "GET /v1/budget": READERS,
    "POST /v1/budget/stop": OWNER,
    "POST /v1/budget/resume": OWNER,
    "GET /v1/switches": READERS,
    "PUT /v1/switches/{task}": OWNER,
    "GET /v1/audit": READERS,
    "GET /v1/audit/trend": READERS,
    "GET /v1/replays": READERS,
    "GET /v1/cron": READERS,
    "GET /v1/cron/next": READERS,
    "POST /v1/cron/{entry}/run": OWNER,
    "GET /v1/fleet": READERS,
}
"""Who may call what; a route that is missing here fails a test."""

NOBODY = "aw_main_" + "0" * 64


def test_every_route_of_the_document_has_a_line(door: NetworkDoor) -> None:
    paths = door.ask("GET", "/v1/openapi.json").body["paths"]

    declared = {
        f"{method.upper()} {path}": " ".join(sorted(route[CALLERS_FIELD]))
        for path, methods in paths.items()
        for method, route in methods.items()
        if path != "/health"
    }
    assert declared == ROUTES


def test_every_route_says_what_it_does(door: NetworkDoor) -> None:
    paths = door.ask("GET", "/v1/openapi.json").body["paths"]

    routes = [route for methods in paths.values() for route in methods.values()]
    assert all(re.fullmatch(r"[A-Z].+\.", route["summary"]) for route in routes)
    assert len({route["operationId"] for route in routes}) == len(routes)


@pytest.mark.parametrize("route", ROUTES)
def test_a_route_answers_its_callers_alone(door: NetworkDoor, route: str) -> None:
    method, path = route.split()
    path = re.sub(r"\{(\w+)\}", "7", path)
    body = {} if method in ("POST", "PUT", "PATCH") else None

    for token in (None, NOBODY, NOBODY[:-1], f"{NOBODY}0", "aw", ""):
        refused = door.ask(method, path, body, token)
        assert (refused.status, refused.body["code"]) == (401, "unauthorized")
        assert refused.headers["www-authenticate"].startswith("Bearer")
    for role in ("agent", "owner", "observer"):
        answer = door.ask(method, path, body, role)
        if role in ROUTES[route].split():
            assert answer.status not in (401, 403, 405, 500)
        else:
            assert (answer.status, answer.body["code"]) == (403, "forbidden")


def test_a_revoked_token_opens_nothing(door: NetworkDoor) -> None:
    token = door.issue("agent")
    assert door.ask("GET", "/v1/manifest", token=token).status == 200
    newest = run_afterword("token", "ls", home=door.home).stdout.splitlines()[-1].split()[0]

    run_afterword("token", "revoke", newest, home=door.home)

    assert door.ask("GET", "/v1/manifest", token=token).status == 401


def test_an_agent_sees_its_own_group_and_not_whether_another_exists(door: NetworkDoor) -> None:
    other = door.issue("agent", "other")
    door.ask("POST", "/v1/tools/memory_store", {"type": "fact", "content": "of the other"}, other)

    asked = [
        door.ask("GET", f"/v1/memory?query={word}", token="agent", Afterword_Group=group).body
        for word, group in (("other", "other"), ("other", "nobody"))
    ]

    assert asked == [{"memories": [], "next": None}] * 2
    here = door.ask("GET", "/v1/memory?query=other", token="owner", Afterword_Group="other")
    assert [hit["memory"]["content"] for hit in here.body["memories"]] == ["of the other"]


def test_a_revocation_holds_at_once_for_a_token_that_is_in_use(door: NetworkDoor) -> None:
    """Other processes revoke, while the server knows the token from the calls just before."""
    for _ in range(2):
        token = door.issue("agent")
        calls = [door.ask("GET", "/v1/manifest", token=token).status for _ in range(3)]
        newest = run_afterword("token", "ls", home=door.home).stdout.splitlines()[-1].split()[0]

        run_afterword("token", "revoke", newest, home=door.home)

        assert (calls, door.ask("GET", "/v1/manifest", token=token).status) == ([200] * 3, 401)
