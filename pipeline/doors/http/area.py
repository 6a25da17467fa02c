"""Declares the routes of no single area, and what is counted of the network door."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaRoute, MetricEvent, counter, gauge, seconds

_ROUTES: Final = "afterword.pipeline.doors.http.routes"
_ANSWER_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Buckets of an answer's time; seconds."""

_ALL: Final = "agent owner observer"

AREA: Final = Area(
    name="serve",
    metrics=(
        counter(
            "http_requests",
            "Requests that `afterword serve` answered, by route, class of status and role of the "
            "token.",
            "route",
            "status",
            "role",
            events=(MetricEvent("http.answered"),),
        ),
        seconds(
            "http_request",
            "Time from the head of a request to the end of its answer, in seconds.",
            _ANSWER_S,
            "route",
            events=(MetricEvent("http.answered", "seconds"),),
        ),
        counter(
            "http_refusals",
            "Requests that were refused, by the code in the answer.",
            "code",
            events=(MetricEvent("http.refused"),),
        ),
        counter(
            "http_failures",
            "Requests that failed unexpectedly; the log has the reason.",
            events=(MetricEvent("http.failed"),),
        ),
        counter(
            "http_tokens",
            "Tokens that requests sent: `yes`, known from a request before it; `no`, looked up in "
            "the file.",
            "known",
            events=(MetricEvent("http.identified"),),
        ),
        counter(
            "late_briefs",
            "Sessions that began without a brief, since it was late or failed.",
            events=(MetricEvent("brief.failed"),),
        ),
        gauge("http_connections", "Connections that are open to this process."),
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
    settings=("http_host", "http_port", "http_hosts", "http_origins", "http_processes"),
)
