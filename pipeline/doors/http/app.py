"""The routes that areas declare, as one application with an OpenAPI document."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import wraps
from importlib.metadata import version
from typing import Any, Final

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import AreaRoute, load
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.checks import check_word, short_repr
from afterword.pipeline.doors.agent.arguments import masking_refusals
from afterword.pipeline.doors.http.caller import Caller, ServerParts
from afterword.pipeline.doors.http.problems import UNEXPECTED_PROBLEM, Problem, problem_from
from afterword.pipeline.doors.render.values import json_bytes
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.gateway.access.model import CallerRole
from afterword.pipeline.rules.masking import mask, trace
from afterword.pipeline.type_words import wanted

CALLERS_FIELD: Final = "x-callers"
"""Where the OpenAPI document says which roles may call a route."""

_SUMMARY: Final = (
    "The memory of trading agents. Every path but /health needs a token as "
    "`Authorization: Bearer TOKEN`; `afterword token issue` makes one."
)
_WRITES: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})


Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def area_routes() -> list[AreaRoute]:
    """Return the routes of all areas, in their order."""
    return [route for area in all_areas() for route in area.routes]


def build_app(parts: ServerParts, lifespan: Lifespan | None = None) -> FastAPI:
    """Return the application of a process.

    Args:
        lifespan: what runs as long as it serves.
    """
    app = FastAPI(
        title="Afterword",
        summary=_SUMMARY,
        version=version("afterword"),
        docs_url=None,  # a page that loads scripts of another host
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        exception_handlers={
            PipelineError: _refused,
            RequestValidationError: _invalid,
            HTTPException: _no_route,
        },
    )
    app.state.parts = parts
    app.add_api_route(
        "/health", _health, response_model=None, summary="Say that the process answers."
    )
    for route in area_routes():
        _add(app, route)
    return app


def _add(app: FastAPI, route: AreaRoute) -> None:
    handler = load(route.handler)
    summary, _, more = (handler.__doc__ or "").partition("\n\n")
    described = more.partition("    Args:")[0].partition("    Raises:")[0].strip()
    is_late = handler.__name__.startswith("start_")
    route_answer = answering(handler, 202 if is_late else 200)
    app.add_api_route(
        route.path,
        route_answer,
        methods=[route.method],
        operation_id=f"{handler.__module__.rpartition('.')[2]}_{handler.__name__}",
        summary=" ".join(summary.split()),
        description=described,
        tags=[route.path.split("/")[2]],
        response_model=None,
        status_code=202 if is_late else 200,
        openapi_extra={CALLERS_FIELD: route.callers.split()},
        dependencies=[Depends(_only(route))],
    )
    added = app.router.routes[-1]
    assert isinstance(added, APIRoute)
    _KNOWN[route] = frozenset(field.alias for field in added.dependant.query_params)


_KNOWN: Final[dict[AreaRoute, frozenset[str]]] = {}
"""The names of a route's arguments in the address."""


def _only(route: AreaRoute) -> Callable[[Request], None]:
    """Return what lets the callers of a route pass, with arguments that it knows."""
    callers: Sequence[CallerRole] = route.callers.split()  # type: ignore[assignment]

    def check(request: Request) -> None:
        role = request.scope["afterword.token"].role
        if role not in callers:
            raise HTTPException(403, f"{route.method} {route.path} is for: {', '.join(callers)}")
        for name in request.query_params:
            check_word(name, sorted(_KNOWN[route]), "query")

    return check


def answering(handler: Callable[..., Any], status: int) -> Callable[..., Response]:
    """Return a route that answers with the JSON of what its function returns, or a problem."""

    @wraps(handler)
    def answer(by: Caller, **named: Any) -> Response:
        """Call the handler, and write its return value or its error as a response."""
        try:
            with masking_refusals(*map(plain_argument, named.values())):
                return _json(handler(by, **named), status)
        except PipelineError as error:
            return _problem(problem_from(error, by.now()), by.uid, str(by.settings.home))
        except Exception as error:
            emit("http.failed", request=by.uid, trace=trace(error))
            return _problem(Problem(500, UNEXPECTED_PROBLEM), by.uid)

    return answer


def plain_argument(value: Any) -> Any:
    """Return an argument of a route as JSON values."""
    return value.model_dump() if hasattr(value, "model_dump") else value


def _json(value: Any, status: int) -> Response:
    headers = {"cache-control": "no-store"}
    if isinstance(value, str):
        return Response(value, status, headers, media_type="text/markdown; charset=utf-8")
    return Response(json_bytes(value), status, headers, media_type="application/json")


def _problem(problem: Problem, uid: str, home: str | None = None) -> Response:
    body = problem.body(uid)
    if home is not None:
        body = body.replace(home.encode(), b"<home>")
    emit("http.refused", status=problem.status, code=problem.name, request=uid)
    return Response(body, problem.status, problem.headers(), "application/problem+json")


async def _refused(request: Request, error: Exception) -> Response:
    """Return the answer to an error that came before the route itself."""
    assert isinstance(error, PipelineError)
    error.reword(mask)
    now = request.app.state.parts.clock()
    return _problem(problem_from(error, now), request.scope["afterword.request"])


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    problem = Problem(error.status_code, mask(error.detail))
    answer = _problem(problem, request.scope["afterword.request"])
    answer.headers.update(error.headers or {})
    return answer


async def _invalid(request: Request, error: Exception) -> Response:
    """Return the answer to arguments that a route does not accept: the first of them, by name."""
    assert isinstance(error, RequestValidationError)
    uid, first = request.scope["afterword.request"], error.errors()[0]
    if first["type"] == "json_invalid":
        return _problem(Problem(400, "the body is not JSON"), uid)
    place = ".".join(map(str, first["loc"][1:])) or "body"
    if first["type"] == "missing":
        refused = InvalidInputError(place, "is missing", "a value")
    elif first["type"] == "extra_forbidden":
        refused = InvalidInputError(short_repr(place), "is not a field", "the fields of the route")
    else:
        accepted = wanted(first) or first["msg"]
        problem = f"{short_repr(first['input'])} is not {accepted}"
        refused = InvalidInputError(place, problem, accepted)
    refused.reword(mask)
    return _problem(problem_from(refused, request.app.state.parts.clock()), uid)


def _health() -> Response:
    """Say that the process answers."""
    return _json({"status": "ok"}, 200)
