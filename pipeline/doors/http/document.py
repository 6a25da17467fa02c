"""The OpenAPI document: what the routes declare, and what holds for all of them."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from fastapi import FastAPI

from afterword.pipeline.core.area import AreaRoute
from afterword.pipeline.doors.http.caller import GROUP_HEADER, KEY_HEADER, SESSION_HEADER
from afterword.pipeline.doors.http.examples import EXAMPLES, PARTS, example_answers
from afterword.pipeline.doors.http.problems import PROBLEM_TITLES, Problem

_WRITES: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})
_NO_GROUP: Final = ("/v1/openapi", "/v1/manifest", "/v1/skill", "/v1/budget")
"""What is of the installation and not of a group, so that none can be missing; others have a
thing in their address."""
_PROBLEM: Final = {"$ref": "#/components/schemas/Problem"}
_SCHEMA: Final = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "code", "id"],
    "additionalProperties": False,
    "properties": {
        "type": {"type": "string", "description": "An urn of the code."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, in the words of all doors."},
        "code": {
            "type": "string",
            "enum": sorted({"corrupt_store", *(code for code, _ in PROBLEM_TITLES.values())}),
        },
        "id": {"type": "string", "description": "Of the request; the log has it."},
        "field": {"type": "string", "description": "The argument that is refused."},
        "accepted": {"type": "string", "description": "What it may be."},
        "retry_after": {"type": "integer", "description": "When to ask again; seconds."},
    },
}


def whole_document(app: FastAPI, routes: list[AreaRoute]) -> dict[str, Any]:
    """Return the document of an application: each route with its callers, headers, examples, and
    every status that its answer may have.
    """
    document, answers = deepcopy(app.openapi()), example_answers()
    schemas = document["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):  # problems have another form
        schemas.pop(unused, None)
    schemas["Problem"] = _SCHEMA
    document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]
    for route in routes:
        told = document["paths"][route.path][route.method.lower()]
        _complete(told, route, answers.get(f"{route.method} {route.path}"))
    document["paths"]["/health"]["get"]["security"] = []
    return document


def _complete(told: dict[str, Any], route: AreaRoute, answer: Any) -> None:
    """Add the headers, the examples and the problems of a route."""
    example = EXAMPLES[f"{route.method} {route.path}"]
    for parameter in told.get("parameters", []):
        of = PARTS if parameter["in"] == "path" else example.query
        if parameter["name"] in of:
            parameter["example"] = of[parameter["name"]]
    told["parameters"] = [*told.get("parameters", []), *_headers(route)]
    if not told["parameters"]:
        del told["parameters"]
    if example.body is not None:
        told["requestBody"]["content"]["application/json"]["example"] = example.body
    done = next(status for status in told["responses"] if status.startswith("2"))
    media = "text/markdown" if isinstance(answer, str) else "application/json"
    told["responses"] = {
        done: {"description": "Done.", "content": {media: {"example": answer}}},
        **{str(status): _answer(status) for status in problems_of(route)},
    }


def _headers(route: AreaRoute) -> Iterator[dict[str, Any]]:
    callers = route.callers.split()
    named = []
    if "agent" in callers and not route.path.startswith(_NO_GROUP[:3]):
        named.append((SESSION_HEADER, "The handle of a session; that of the day without."))
    if {"owner", "observer"} & set(callers):
        named.append((GROUP_HEADER, "The group that is meant; AFTERWORD_GROUP without."))
    if route.method in _WRITES and not route.path.startswith(("/v1/budget", "/v1/switches")):
        named.append((KEY_HEADER, "A name of this write: repeated with it, it has one effect."))
    for name, description in named:
        schema = {"type": "string"}
        yield {"name": name, "in": "header", "description": description, "schema": schema}


def problems_of(route: AreaRoute) -> list[int]:
    """Return the statuses with which a route may refuse."""
    statuses = {400, 401, 403, 408, 413, 421, 422, 431, 500, 503}
    if "{" in route.path or not route.path.startswith(_NO_GROUP):
        statuses.add(404)
    if route.method in ("POST", "PATCH", "PUT"):
        statuses.add(415)
    if route.method in _WRITES:
        statuses.add(409)
        if "agent" in route.callers:
            statuses.add(429)
    elif route.path == "/v1/memory":
        statuses.add(409)  # a page of a search whose hits have changed
    return sorted(statuses)


def _answer(status: int) -> dict[str, Any]:
    code, title = PROBLEM_TITLES[status]
    retry_after_s = 60 if status in (429, 503) else None
    told = Problem(status, title, _MORE.get(status, {}), retry_after_s).fields(_REQUEST)
    return {
        "description": f"`{code}`: {title}",
        "content": {"application/problem+json": {"schema": _PROBLEM, "example": told}},
    }


_MORE: Final = {422: {"field": "limit", "accepted": "1 or more"}}
_REQUEST: Final = "0" * 32
