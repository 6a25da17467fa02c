"""Every page shows what its command says: the values of `--json` are words of the page."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from afterword.pipeline.clock import system_clock
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.network_door import NetworkDoor
from tests.unit.web.raw import Visitor, cookie_of, page_of
from tests.unit.web.test_every_page import ASKS, PAGES


class Compared(NamedTuple):
    """The command of a page, and what of its answer the page must say.

    Args:
        line: with the parts of paths in braces.
        values: returns them, or `all_of` some names.
        asked: of the page, beside what it must be asked for.
    """

    line: str
    values: Callable[[Any], list[object]]
    asked: str = ""


def all_of(*names: str) -> Callable[[Any], list[object]]:
    """Return what finds each value of these names, wherever it stands in an answer."""

    def walk(value: Any) -> Iterator[object]:
        if isinstance(value, Mapping):
            for name, inner in value.items():
                if name in names and not isinstance(inner, Mapping | list):
                    yield inner
                yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)

    return lambda told: [value for value in walk(told) if value not in (None, "", True, False)]


def each(*names: str) -> Callable[[Any], list[object]]:
    """Return what gives these values of each row of an answer."""
    return lambda told: [row[name] for row in told for name in names]


def _states(told: Any) -> list[object]:
    counts = [f"{number:,} {state}" for row in told for state, number in row["states"].items()]
    return [*all_of("kind")(told), *counts]


def _usd(told: Any) -> list[object]:
    lines = told["categories"]
    return [f"{line['window_key']} {line['cap_micro_usd'] / 1e6:g}" for line in lines]


def _entry(told: Any) -> list[object]:
    return all_of("cron", "in_words", "job")([one for one in told if one["entry"] == "store.tidy"])


def _task(told: Any) -> list[object]:
    return all_of("mode", "meaning")([one for one in told if one["task"] == "judge_facts"])


COMPARED = {
    "/fleet": Compared("fleet", lambda told: [*told["problems"]]),
    "/jobs": Compared("jobs ls", _states),
    "/jobs/run": Compared(
        "jobs redrive --dry-run", lambda told: [f"{told['revivable']} dead jobs will be revived"]
    ),
    "/jobs/{job}": Compared("jobs show {job}", all_of("kind", "outcome", "attempt")),
    "/dead": Compared("jobs reasons", all_of("kind", "jobs")),
    "/kinds/{kind}": Compared(
        "jobs stats",
        lambda told: [
            f"{row['outcome']} {row['jobs']}" for row in told if row["kind"] == "extract_edges"
        ],
    ),
    "/cron": Compared("cron ls", all_of("entry", "cron", "in_words", "job")),
    "/cron/{entry}": Compared("cron ls", _entry),
    "/budget": Compared("budget show", _usd),
    "/switches": Compared("switch ls", all_of("task", "mode", "meaning")),
    "/switches/{task}": Compared("switch ls", _task),
    "/sync": Compared("sync status", lambda told: [*told["paused"], "to mirror"]),
    "/audit": Compared("audit show", all_of("uid", "composite", "band", "severity", "text")),
    "/audit/{audit}": Compared(
        "audit show --pass {audit}", all_of("uid", "composite", "band", "severity", "text")
    ),
    "/replays": Compared("replay ls", each("name", "decisions", "state_hash")),
    "/replays/{replay}": Compared("replay report {replay}", all_of("days", "words")),
    "/doctor": Compared("doctor", all_of("subject", "state")),
    "/doctor/repairs": Compared("doctor --fix", all_of("action", "rows", "says")),
    "/doctor/repairs/{repair}": Compared(
        "doctor --fix --only {repair}", all_of("action", "rows", "says")
    ),
    "/actions": Compared("browsers ls", all_of("id", "role")),
    "/overview": Compared("trades overview", lambda told: [len(told["positions"])]),
    "/trades": Compared("trades journal", all_of("trip_uid", "symbol")),
    "/trades/{trade}": Compared("trades show {trade}", all_of("trip_uid", "exit")),
    "/decisions": Compared(
        "role list --state reflected --limit 100",
        all_of("id", "role_id", "state"),
        "?state=reflected",
    ),
    "/decisions/{decision}": Compared(
        "role show {decision}", all_of("uid", "role_id", "decision", "direction", "decided_at")
    ),
    "/lessons": Compared(
        "role pattern ls --all",
        lambda told: [*each("role")(told), *(row["numbers"]["stretches"] for row in told)],
    ),
    "/pattern": Compared(
        "role pattern show analysis.valuation.target_price stock long up",
        all_of("uid", "stretches_needed", "asset"),
    ),
    "/methods": Compared(
        "methodology ls", lambda told: each("uid", "name", "state")(told["methodologies"])
    ),
    "/methods/{method}": Compared(
        "methodology show {method}", all_of("uid", "name", "known_at", "kind")
    ),
    "/cases": Compared("methodology cases --limit 100", all_of("id", "decided_at")),
    "/cases/{case}": Compared(
        "methodology case {case}", all_of("decision", "decided_at", "verdict", "decision_text")
    ),
    "/institution": Compared("institution run ls", all_of("uid")),
    "/institution/{run}": Compared(
        "institution run show {run}", all_of("uid", "trigger", "base_case", "thesis", "decision")
    ),
    "/accounts": Compared(
        "capital show", lambda told: ["No capital is known"][: not told["capital"]]
    ),
    "/memory": Compared("memory search", lambda told: [each["memory"]["id"] for each in told]),
    "/memory/{memory}": Compared("memory show {memory}", all_of("uid", "content", "category")),
    "/preferences": Compared("preference ls", all_of("statement", "state")),
    "/preferences/{preference}": Compared(
        "preference show {preference}", all_of("uid", "statement", "state", "proposed_at")
    ),
    "/profile": Compared("profile show", all_of("says")),
    "/profile/tags/{tag}": Compared(
        "profile tags ls", lambda told: [tag["label"] for tag in told if tag["dimension"] == "risk"]
    ),
    "/learnings": Compared("learning ls", all_of("name")),
    "/learnings/{learning}": Compared(
        "learning show {learning}", all_of("uid", "name", "trigger", "success_count")
    ),
    "/prompt": Compared("snapshot", lambda told: told["text"].splitlines()),
}
"""By the declared path; a page that is missing here fails a test."""


@pytest.fixture(scope="module")
def visitor(demo_door: NetworkDoor) -> Visitor:
    """Return somebody who looks at the demo's data."""
    return Visitor(demo_door, cookie_of(demo_door))


def ways_to_write(value: object) -> set[str]:
    """Return how a page may write a value: a number with its separators, a moment by its day."""
    if isinstance(value, int):
        return {f"{value:,}"}
    if isinstance(value, float):
        return {f"{value:,.{places}f}" for places in range(4)}
    text = " ".join(str(value).split())
    return {text, text.replace("_", " "), text.replace("`", "")} | {
        text[:length] for length in (10, 12) if len(text) in (27, 32, 64)
    }


def test_every_page_is_compared():
    assert COMPARED.keys() == PAGES.keys()


@pytest.mark.parametrize("path", COMPARED)
def test_a_page_says_what_its_command_says(
    visitor: Visitor, demo_home: Path, examples: dict[str, str], path: str
):
    compared = COMPARED[path]
    told = Command(demo_home, system_clock, random_uid)(
        *compared.line.format_map(examples).split(), "--json"
    )
    values = compared.values(json.loads(told.out))

    asked = ASKS.get(path, compared.asked)
    page = " ".join(page_of(visitor.see(path.format_map(examples) + asked)).words)
    shown = " ".join(page.replace("−", "-").split())
    missing = [value for value in values if not any(way in shown for way in ways_to_write(value))]
    assert missing == []
    assert values or path == "/profile/tags/{tag}"
