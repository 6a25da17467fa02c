"""Send the examples of the OpenAPI document to a server, and keep its answers.

`python -m tests.unit.network.record_answers` writes them; run it where an answer has changed.
"""

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from afterword.pipeline.doors.http.app import area_routes
from afterword.pipeline.doors.http.examples import ANSWERS_FILE, EXAMPLES, PARTS, RouteExample
from afterword.pipeline.testing.network_door import DoorAnswer, NetworkDoor
from tests.unit.network.desk import Desk

_UID: Final = re.compile(r"[0-9a-f]{32,64}")
_MOMENT: Final = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")
_DAY: Final = re.compile(r"20[0-9]{2}-[0-9]{2}(?:-[0-9]{2})?(?![0-9T])")
_CALLERS: Final = {f"{route.method} {route.path}": route.callers.split() for route in area_routes()}
_ITEMS_SHOWN: Final = 2
"""Items of a list in an example."""


def answers_of(desk: Desk) -> Mapping[str, DoorAnswer]:
    """Return the answer to each example; each finds what those before it made."""
    parts, answers = dict(PARTS), {}
    for path, name, part, key in (
        ("/v1/trading-cases", "cases", "case", "id"),
        ("/v1/decisions", "decisions", "decision", "id"),
        ("/v1/trades", "trades", "trade", "trip.trip_uid"),
        ("/v1/sessions", "sessions", "session", "uid"),
        ("/v1/dead", "dead", "job", "id"),
    ):
        value = desk.door.ask("GET", f"{path}?limit=1", token="owner").body[name][0]
        for step in key.split("."):
            value = value[step]
        parts[part] = str(value)
    for route, example in EXAMPLES.items():
        answer = _send(desk, route, example, parts)
        answers[route] = answer
        made = {"POST /v1/turns": ("turn", "turn"), "POST /v1/preferences": ("preference", "uid")}
        made |= {f"{method} /v1/memory{rest}": ("memory", "id") for method, rest in _EDITS}
        if answer.status < 300 and route in made:
            part, key = made[route]
            parts[part] = str(answer.body[key])
    return answers


_EDITS: Final = (("POST", ""), ("PATCH", "/{memory}"))


def _send(desk: Desk, route: str, example: RouteExample, parts: Mapping[str, str]) -> DoorAnswer:
    method, path = route.split()
    query = "&".join(f"{name}={quote(value)}" for name, value in example.query.items())
    address = path.format_map(parts) + (f"?{query}" if query else "")
    token = "agent" if _CALLERS[route] == ["agent"] else "owner"
    return desk.door.ask(method, address, example.body, token)


def shown(value: Any) -> Any:
    """Return an answer as an example has it: short, and the same from run to run."""
    if isinstance(value, dict):
        return {name: shown(item) for name, item in value.items()}
    if isinstance(value, list):
        return [shown(item) for item in value[:_ITEMS_SHOWN]]
    if isinstance(value, str):
        value = _UID.sub("0123456789abcdef0123456789abcdef", value)
        value = _MOMENT.sub("2026-01-05T09:30:00.000000Z", _DAY.sub("2026-01-05", value))
        return value if len(value) <= 600 else value[:600] + " …"
    return value


def main() -> None:
    """Write the answers."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with NetworkDoor(home, autostart=False, token_daily_writes=10_000) as door:
            desk = Desk(door)
            desk.fill()
            kept = {}
            for route, answer in answers_of(desk).items():
                assert answer.status < 300, (route, answer)
                kept[route] = shown(answer.body) if "openapi" not in route else {"openapi": "3.1.0"}
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    ANSWERS_FILE.write_text(text.replace(str(home), "<home>") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
