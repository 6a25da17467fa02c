"""Declares the command that serves the network door, and the routes of no single area."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaRoute

_ROUTES: Final = "afterword.pipeline.doors.http.routes"
_ALL: Final = "agent owner observer"

AREA: Final = Area(
    name="serve",
    commands=(
        AreaCommand(
            "serve",
            "afterword.pipeline.doors.commands.serve:serve",
            "Serve the memory over HTTP, for agents and other programs.",
            order=116,
        ),
    ),
    routes=(
        AreaRoute("GET", "/v1/openapi.json", f"{_ROUTES}.document:openapi", _ALL),
        AreaRoute("GET", "/v1/manifest", f"{_ROUTES}.tools:get_manifest", _ALL),
        AreaRoute("POST", "/v1/tools/{name}", f"{_ROUTES}.tools:call_tool", "agent"),
        AreaRoute("POST", "/v1/brief", f"{_ROUTES}.prompts:brief", "agent"),
        AreaRoute("GET", "/v1/brief", f"{_ROUTES}.prompts:host_brief", _ALL),
        AreaRoute("GET", "/v1/skill", f"{_ROUTES}.prompts:skill", _ALL),
        AreaRoute("GET", "/v1/snapshot", f"{_ROUTES}.prompts:snapshot", "agent"),
        AreaRoute("GET", "/v1/personalization", f"{_ROUTES}.prompts:personalization", "agent"),
        AreaRoute("GET", "/v1/instructions", f"{_ROUTES}.prompts:instruct", "agent"),
        AreaRoute("GET", "/v1/pages/{asset}", f"{_ROUTES}.prompts:page", "agent"),
    ),
    settings=("http_host", "http_port", "http_hosts", "http_origins"),
)
