"""How each declared action is done: where its form stands, and what two people read of it."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores, writing
from afterword.pipeline.domain.accounts import rows as account_rows
from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.command import Command
from tests.unit.web.conftest import kill_jobs

TRADE = "276cb86a88b68bc67d4f8a5ad8b147a5"


class ActionExample(NamedTuple):
    """One action.

    Args:
        page: on which its form stands, with the parts of its path in braces.
        did: what who is first reads, in small letters.
        told: what the second one reads; one of several.
        prepare: brings the home to where the action has an effect; returns the parts of paths.
        fields: what a person fills in.
    """

    page: str
    did: str
    told: tuple[str, ...]
    prepare: Callable[[Path], Mapping[str, str]]
    fields: Mapping[str, str] = {}


def _run(home: Path, *line: str) -> Any:
    """Run a command; one that changes nothing any more may refuse."""
    return Command(home, system_clock, random_uid)(*line)


def _after(*lines: tuple[str, ...], **parts: str) -> Callable[[Path], Mapping[str, str]]:
    """Return what runs commands before an action."""

    def prepare(home: Path) -> Mapping[str, str]:
        for line in lines:
            _run(home, *line)
        return parts

    return prepare


def _change(statement: str, **parts: str) -> Callable[[Path], Mapping[str, str]]:
    """Return what changes a file as the work of somebody else would."""

    def prepare(home: Path) -> Mapping[str, str]:
        stores = Stores(home, StoreOptions(), system_clock, random_uid)
        with closing(stores), writing(stores.group("main")) as conn:
            conn.execute(text(statement))
        return parts

    return prepare


def _dead(home: Path) -> Mapping[str, str]:
    _change("DELETE FROM jobs WHERE kind = 'purge_patterns'")(home)
    return {"job": str(kill_jobs(home, "purge_patterns", 2, "wrong")[0])}


def _memory(home: Path) -> Mapping[str, str]:
    line = ("memory", "write", "--source", "user_manual", "personalization")
    written = _run(home, *line, f"Words {random_uid()}", "--json")
    return {"memory": str(written.json["id"])}


def _deleted(home: Path) -> Mapping[str, str]:
    parts = _memory(home)
    _run(home, "memory", "delete", parts["memory"])
    return parts


def _preference(home: Path) -> Mapping[str, str]:
    _run(home, "preference", "propose", "other", "soft_preference", f"No {random_uid()}")
    listed = _run(home, "preference", "ls", "--state", "proposed", "--json").json
    return {"preference": listed[-1]["uid"]}


def _learning(home: Path) -> Mapping[str, str]:
    _change("UPDATE learnings SET deleted_at = NULL")(home)
    return {"learning": _run(home, "learning", "show", "1", "--json").json["learning"]["uid"]}


def add_mirrored(home: Path) -> None:
    """Add an account of the owner, as if its venue had been asked."""
    stores = Stores(home, StoreOptions(), system_clock, random_uid)
    account = Account("mine", "hyperliquid", f"0x{'ab' * 20}", "own", "user", None, system_clock())
    with closing(stores), writing(stores.group("main")) as conn:
        account_rows.insert(conn, account)


_NO_ASKED_JOB = "DELETE FROM jobs WHERE kind IN ('sync_history', 'refresh_capital')"
_STALE = ("when the page showed it",)

ACTIONS = {
    "/jobs/run": ActionExample(
        "/jobs/run?state=dead&kind=purge_patterns",
        "2 dead jobs due now",
        ("2 jobs changed meanwhile and did not",),
        _dead,
    ),
    "/jobs/{job}/retry": ActionExample("/jobs/{job}", "it is due now", _STALE, _dead),
    "/kinds/{kind}/pause": ActionExample(
        "/kinds/{kind}",
        "is paused in group",
        ("was paused before",),
        _after(("jobs", "resume", "extract_edges"), kind="extract_edges"),
    ),
    "/kinds/{kind}/resume": ActionExample(
        "/kinds/{kind}",
        "is not paused in group",
        ("is not paused any more",),
        _after(("jobs", "pause", "extract_edges"), kind="extract_edges"),
    ),
    "/cron/{entry}/run": ActionExample(
        "/cron/{entry}", "is due now", _STALE, _after(entry="facts.consolidate")
    ),
    "/budget/stop": ActionExample(
        "/budget", "spending is stopped", ("was stopped before",), _after(("budget", "resume"))
    ),
    "/budget/resume": ActionExample(
        "/budget", "is allowed again", ("was not stopped",), _after(("budget", "stop"))
    ),
    "/switches/{task}": ActionExample(
        "/switches/{task}",
        "judge_facts does not run",
        ("was on before, and is off now",),
        _after(("switch", "set", "judge_facts", "on"), task="judge_facts"),
        {"mode": "off"},
    ),
    "/sync/now": ActionExample(
        "/sync",
        "mirrors mine as soon as",
        ("asked for it already",),
        _change(_NO_ASKED_JOB),
        {"name": "mine"},
    ),
    "/sync/pause": ActionExample(
        "/sync",
        "is not mirrored",
        ("was paused before",),
        _after(("sync", "resume")),
        {"name": "mine"},
    ),
    "/sync/resume": ActionExample(
        "/sync",
        "is mirrored again",
        ("is not paused any more",),
        _after(("sync", "pause")),
        {"name": "mine"},
    ),
    "/accounts/capital": ActionExample(
        "/accounts", "asks the venue as soon as", ("asked for it already",), _change(_NO_ASKED_JOB)
    ),
    "/doctor/repairs/{repair}": ActionExample(
        "/doctor/repairs/{repair}",
        "done",
        (*_STALE, "does the same work"),
        _change("DELETE FROM memory_edges WHERE src_id = 385", repair="edges"),
    ),
    "/trades/{trade}/tag": ActionExample(
        "/trades/{trade}",
        "tagged fresh",
        ("has the tag 'fresh' already",),
        _after(("trades", "untag", TRADE, "fresh"), trade=TRADE),
        {"tag": "fresh"},
    ),
    "/trades/{trade}/untag": ActionExample(
        "/trades/{trade}",
        "no longer tagged old",
        ("has no tag 'old'",),
        _after(("trades", "tag", TRADE, "old"), trade=TRADE),
    ),
    "/trades/{trade}/note": ActionExample(
        "/trades/{trade}",
        "has this note",
        ("was changed since it was shown",),
        _after(("trades", "note", TRADE, "earlier"), trade=TRADE),
        {"note": "later"},
    ),
    "/trades/{trade}/unnote": ActionExample(
        "/trades/{trade}",
        "has no note any more",
        ("was changed since it was shown",),
        _after(("trades", "note", TRADE, "earlier"), trade=TRADE),
    ),
    "/memory/{memory}/edit": ActionExample(
        "/memory/{memory}", "is written for", ("was changed before",), _memory, {"content": "Anew"}
    ),
    "/memory/{memory}/delete": ActionExample(
        "/memory/{memory}", "is deleted", ("is deleted already",), _memory
    ),
    "/memory/{memory}/restore": ActionExample(
        "/memory/{memory}", "is back", ("is not deleted",), _deleted
    ),
    "/preferences/{preference}/approve": ActionExample(
        "/preferences/{preference}", "is active", _STALE, _preference
    ),
    "/preferences/{preference}/reject": ActionExample(
        "/preferences/{preference}", "is rejected", _STALE, _preference
    ),
    "/profile/onboarding": ActionExample(
        "/profile",
        "1 memory written",
        _STALE,
        _after(("profile", "onboard", "--risk", "balanced")),
        {"risk": "aggressive"},
    ),
    "/profile/tags/{tag}/set": ActionExample(
        "/profile/tags/{tag}",
        "style is technical now",
        _STALE,
        _after(("profile", "tags", "clear", "style"), tag="style"),
        {"value": "technical"},
    ),
    "/profile/tags/{tag}/clear": ActionExample(
        "/profile/tags/{tag}",
        "style is not declared any more",
        _STALE,
        _after(("profile", "tags", "set", "style", "narrative"), tag="style"),
    ),
    "/learnings/{learning}/delete": ActionExample(
        "/learnings/{learning}",
        "is deleted",
        _STALE,
        _learning,
    ),
}
"""By the declared path; an action that is missing here fails a test."""

ALONE = {
    "/memory/write": "two people who write the same words wrote two memories: nothing is shared",
}
"""Actions that no second person can meet, and why."""
