"""Page by page, a list is what its command lists at once, also while rows are added."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, Final

import pytest

from tests.unit.network.desk import ROLE, Desk

ALL: Final = ("--limit", "1000")
LISTS: Final[Mapping[str, tuple[str, list[str]]]] = {
    "/v1/memory": ("memories", ["memory", "search", "", "--limit", "100"]),
    "/v1/memory?query=charts weekly": ("memories", ["memory", "search", "charts weekly"]),
    "/v1/sessions": ("sessions", ["session", "ls", *ALL]),
    "/v1/trades": ("trades", ["trades", "ls", *ALL]),
    "/v1/trades?asset=ETH": ("trades", ["trades", "ls", "--asset", "ETH", *ALL]),
    f"/v1/decisions?role={ROLE}": ("decisions", ["role", "list", ROLE, *ALL]),
    "/v1/methodologies": ("methodologies", ["methodology", "ls"]),
    "/v1/trading-cases": ("cases", ["methodology", "cases", *ALL]),
    "/v1/learnings": ("learnings", ["learning", "ls"]),
    "/v1/learnings?sort=new": ("learnings", ["learning", "ls", "--sort", "new"]),
    "/v1/learnings?sort=used": ("learnings", ["learning", "ls", "--sort", "used"]),
    "/v1/learnings?sort=shown": ("learnings", ["learning", "ls", "--sort", "shown"]),
    "/v1/preferences": ("preferences", ["preference", "ls"]),
    "/v1/dead": ("dead", ["jobs", "dead", *ALL]),
    "/v1/jobs?kind=extract_edges": ("jobs", ["jobs", "ls", "--kind", "extract_edges", *ALL]),
    "/v1/dead?queue=quick": ("dead", ["jobs", "dead", "--queue", "quick", *ALL]),
    "/v1/jobs?queue=quick&older_than_min=0": (
        "jobs",
        ["jobs", "ls", "--queue", "quick", "--older-than-min", "0", *ALL],
    ),
    "/v1/audit/trend": ("reports", ["audit", "trend"]),
    "/v1/replays": ("replays", ["replay", "ls"]),
}


@pytest.mark.parametrize("path", LISTS)
def test_the_pages_of_a_list_are_what_the_command_lists(desk: Desk, path: str) -> None:
    name, line = LISTS[path]
    printed = desk.run(*line, "--json").json
    whole = printed if isinstance(printed, list) else printed[name]

    paged = desk.items(path.replace(" ", "%20"), name, 3)

    assert len(paged) > 2
    assert _shown(paged) == _shown(whole)


def _shown(rows: list[Any]) -> list[Any]:
    """Return rows without what only commands over all groups show, or only the present knows."""
    text = json.dumps(rows)
    for state in ("pending", "skipped"):  # later pages of a search are of the moment of the first
        text = text.replace(f'"embedding_state": "{state}"', '"embedding_state": null')
    return [{name: row[name] for name in row if name != "group"} for row in json.loads(text)]


@pytest.mark.parametrize("path", LISTS)
def test_rows_that_are_added_between_two_pages_move_nothing(desk: Desk, path: str) -> None:
    name, _ = LISTS[path]
    written = path.replace(" ", "%20")
    before = desk.items(written, name, 1_000 if name != "memories" else 100)

    paged = desk.items(written, name, 4, desk.add)

    keys = [json.dumps(_shown([row]), sort_keys=True) for row in paged]
    assert len(set(keys)) == len(keys)
    assert [key for key in keys if key in _keys(before)] == list(_keys(before))


def _keys(rows: list[Any]) -> dict[str, None]:
    return dict.fromkeys(json.dumps(_shown([row]), sort_keys=True) for row in rows)


FOREIGN: Final = {
    "words": "charts",
    "no cursor": "W10",
    "nothing": "",
    "a number": "MQ",
    "bytes": "%FF%FE",
    "too long": "W10" * 200,
    "nested": urlsafe_b64encode(b"[" * 250).decode(),
}


@pytest.mark.parametrize("cursor", FOREIGN.values(), ids=list(FOREIGN))
def test_what_is_no_cursor_is_refused_by_name(desk: Desk, cursor: str) -> None:
    for path in LISTS:
        mark = "&" if "?" in path else "?"
        answer = desk.door.ask(
            "GET", f"{path}{mark}after={cursor}".replace(" ", "%20"), None, "owner"
        )

        assert (answer.status, answer.body["field"]) == (422, "after")


def test_a_cursor_belongs_to_its_list_its_arguments_and_its_group(desk: Desk) -> None:
    def ask(path: str, group: str = "main") -> Any:
        return desk.door.ask("GET", path, token="owner", Afterword_Group=group)

    cursor = ask("/v1/learnings?limit=2").body["next"]
    desk.run("--group", "other", "memory", "write", "of the other group")

    for path, group in (
        ("/v1/preferences?", "main"),
        ("/v1/learnings?sort=new&", "main"),
        ("/v1/learnings?state=active&", "main"),
        ("/v1/learnings?", "other"),
    ):
        answer = ask(f"{path}after={cursor}", group)
        assert (answer.status, answer.body["field"]) == (422, "after")
        assert "does not belong to this list" in answer.body["detail"]
    assert ask(f"/v1/learnings?limit=3&after={cursor}").status == 200  # of another size it may be


def test_a_place_that_was_made_up_is_refused(desk: Desk) -> None:
    cursor = desk.door.ask("GET", "/v1/sessions?limit=1", token="owner").body["next"]
    name = json.loads(urlsafe_b64decode(cursor + "=="))[0]

    for place in (2**64, -(2**64), 1.5, "1", None, True, [1]):
        made = urlsafe_b64encode(json.dumps([name, place]).encode()).decode()
        answer = desk.door.ask("GET", f"/v1/sessions?after={made}", token="owner")
        assert (answer.status, answer.body["field"]) == (422, "after")
