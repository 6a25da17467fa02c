"""An example of each route: a request that a test sends to a server, and its answer."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

ANSWERS_FILE: Final = Path(__file__).with_name("answers.json")
"""Answers to the examples, as a server gave them; `tests/unit/network/record_answers.py` writes it.
Long lists are cut; names and moments are made up."""


class RouteExample(NamedTuple):
    """A request.

    Args:
        query: arguments in the address.
        body: sent as JSON; None for no body.
    """

    query: Mapping[str, str] = {}
    body: Any = None


PARTS: Final[Mapping[str, str]] = {
    "asset": "BTC",
    "case": "3",
    "decision": "3",
    "entry": "store.tidy",
    "job": "12",
    "kind": "extract_edges",
    "learning": "1",
    "memory": "41",
    "methodology": "1",
    "name": "memory_store",
    "preference": "asset",
    "session": "2",
    "task": "judge_facts",
    "trade": "0123456789abcdef0123456789abcdef",
    "turn": "5d41402abc4b2a76b9719d911017c592",
}
"""What stands in the address for the names of its parts."""

_PAGE: Final = {"limit": "2"}

EXAMPLES: Final[Mapping[str, RouteExample]] = {
    "GET /v1/openapi.json": RouteExample(),
    "GET /v1/manifest": RouteExample(),
    "POST /v1/tools/{name}": RouteExample(
        body={"type": "preference", "content": "Prefers weekly charts", "tags": ["charts"]}
    ),
    "POST /v1/brief": RouteExample(),
    "GET /v1/brief": RouteExample(),
    "GET /v1/skill": RouteExample(),
    "GET /v1/snapshot": RouteExample(),
    "GET /v1/personalization": RouteExample(),
    "GET /v1/instructions": RouteExample(),
    "GET /v1/pages/{asset}": RouteExample({"include_hard_constraints": "false"}),
    "POST /v1/memory": RouteExample(body={"content": "I trade from Porto", "tags": ["home"]}),
    "GET /v1/memory": RouteExample({"query": "charts weekly", "limit": "2"}),
    "GET /v1/memory/{memory}": RouteExample(),
    "PATCH /v1/memory/{memory}": RouteExample(body={"content": "I trade from Lisbon"}),
    "DELETE /v1/memory/{memory}": RouteExample(),
    "POST /v1/memory/{memory}/restore": RouteExample(),
    "GET /v1/memory/{memory}/why": RouteExample(),
    "POST /v1/sessions": RouteExample(body={"label": "morning"}),
    "GET /v1/sessions": RouteExample(_PAGE),
    "GET /v1/sessions/{session}": RouteExample(),
    "POST /v1/turns": RouteExample(body={"message": "Is BTC cheap?"}),
    "POST /v1/turns/{turn}/texts": RouteExample(),
    "PATCH /v1/turns/{turn}": RouteExample(
        body={
            "outcome": "succeeded",
            "reply": "It is near its mean of the year.",
            "tool_calls": [{"name": "quote", "arguments": {"asset": "BTC"}}],
        }
    ),
    "POST /v1/sessions/end": RouteExample(),
    "GET /v1/profile": RouteExample(),
    "POST /v1/profile/refresh": RouteExample(),
    "POST /v1/profile/onboarding": RouteExample(
        body={"finance_knowledge": "level_2", "risk": "conservative", "markets": ["crypto_majors"]}
    ),
    "GET /v1/profile/onboarding": RouteExample(),
    "POST /v1/preferences": RouteExample(
        body={"dimension": "max_leverage", "kind": "hard_constraint", "value": "3"}
    ),
    "GET /v1/preferences": RouteExample({"state": "proposed", "limit": "2"}),
    "GET /v1/preferences/{preference}": RouteExample(),
    "POST /v1/preferences/{preference}/approve": RouteExample(),
    "POST /v1/preferences/{preference}/reject": RouteExample(),
    "GET /v1/learnings": RouteExample({"sort": "new", "limit": "2"}),
    "GET /v1/learnings/{learning}": RouteExample(),
    "DELETE /v1/learnings/{learning}": RouteExample(),
    "GET /v1/trades": RouteExample({"asset": "ETH", "limit": "2"}),
    "GET /v1/trades/{trade}": RouteExample(),
    "GET /v1/decisions": RouteExample({"state": "pending", "limit": "2"}),
    "GET /v1/decisions/{decision}": RouteExample(),
    "GET /v1/methodologies": RouteExample({"asset_class": "major_crypto", "limit": "2"}),
    "GET /v1/methodologies/{methodology}": RouteExample(),
    "GET /v1/trading-cases": RouteExample({"asset": "BTC", "limit": "2"}),
    "GET /v1/trading-cases/{case}": RouteExample(),
    "GET /v1/jobs": RouteExample({"kind": "extract_edges", "limit": "2"}),
    "GET /v1/jobs/{job}": RouteExample(),
    "GET /v1/dead": RouteExample(_PAGE),
    "POST /v1/dead/redrive": RouteExample(body={"kind": "extract_edges", "dry_run": True}),
    "POST /v1/jobs/{job}/retry": RouteExample(),
    "POST /v1/kinds/{kind}/pause": RouteExample(body={"note": "the model is down"}),
    "POST /v1/kinds/{kind}/resume": RouteExample(),
    "GET /v1/budget": RouteExample(),
    "POST /v1/budget/stop": RouteExample(body={"note": "too dear today"}),
    "POST /v1/budget/resume": RouteExample(),
    "GET /v1/switches": RouteExample(),
    "PUT /v1/switches/{task}": RouteExample(body={"mode": "shadow", "note": "first to compare"}),
    "GET /v1/audit": RouteExample(),
    "GET /v1/audit/trend": RouteExample({"days": "30", "limit": "2"}),
    "GET /v1/replays": RouteExample(_PAGE),
    "GET /v1/cron": RouteExample(),
    "GET /v1/cron/next": RouteExample({"number": "2"}),
    "POST /v1/cron/{entry}/run": RouteExample(),
    "GET /v1/fleet": RouteExample(),
}
"""By method and path, in an order in which they can be sent one after the other."""


def example_answers() -> Mapping[str, Any]:
    """Return the answers to the examples, by method and path."""
    answers: Mapping[str, Any] = json.loads(ANSWERS_FILE.read_text(encoding="utf-8"))
    return answers
