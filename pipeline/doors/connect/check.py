"""Whether a connection works: the files, the server, the token, and the client itself."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.doors.connect.connect import plan
from afterword.pipeline.doors.connect.hermes_plugin.wire import ServerWire, WireError
from afterword.pipeline.doors.connect.model import (
    ClientPlug,
    ConnectCheck,
    ConnectTarget,
    EditState,
)
from afterword.pipeline.doors.connect.own_file import read_bytes
from afterword.pipeline.doors.connect.record import ConnectRecord
from afterword.pipeline.doors.connect.token_file import TokenFile, token_in
from afterword.pipeline.views.words import ago

_SAID: Final[dict[EditState, str]] = {
    "missing": "is missing; connect again",
    "outdated": "is older than this Afterword, or its token ended; connect again",
    "changed": "was changed since it was written",
    "taken": "has something of its own there",
}


def check_connection(
    plug: ClientPlug, targets: Sequence[ConnectTarget], record: ConnectRecord, now: datetime
) -> list[ConnectCheck]:
    """Return what was looked at, for every user of a client.

    Args:
        targets: one for each user.
    """
    checks: dict[tuple[str, str], ConnectCheck] = {}
    for target in targets:
        for check in _checks(plug, target, record, now):
            checks.setdefault((check.name, check.said), check)
    return list(checks.values())


def _checks(
    plug: ClientPlug, target: ConnectTarget, record: ConnectRecord, now: datetime
) -> Iterator[ConnectCheck]:
    planned = plan(plug.edits(target), record)
    if planned and all(part.state == "missing" for part in planned):
        said = f"nothing; `afterword connect {plug.name}` writes it"
        yield ConnectCheck("written", False, said)
        return
    wrong = [part for part in planned if part.state != "current"]
    for part in wrong:
        yield ConnectCheck("written", False, f"{part.edit.place} {_SAID[part.state]}")
    if planned and not wrong:
        yield ConnectCheck("written", True, f"all that {plug.title} reads is in {target.folder}")
    tokens = [part.edit for part in planned if isinstance(part.edit, TokenFile)]
    if tokens:
        yield _server(target)
    for token in tokens:
        yield from _token(token, record, now)
    yield from plug.checks(target)


def _server(target: ConnectTarget) -> ConnectCheck:
    try:
        ServerWire(target.url, "").ask("GET", "/health")
    except WireError as error:
        return ConnectCheck("server", False, f"{target.url}: {error}; start `afterword serve`")
    return ConnectCheck("server", True, f"{target.url} answers")


def _token(file: TokenFile, record: ConnectRecord, now: datetime) -> Iterator[ConnectCheck]:
    """Yield whether the token of a file opens the server, and when it last did."""
    target, mark = file.target, record.marks.get(file.place)
    whose = f" of {target.user}" if target.user else ""
    token = token_in(read_bytes(file.path) or b"")
    if token is None or mark is None:
        yield ConnectCheck("token" + whose, False, f"{file.path} has none")
        return
    try:
        ServerWire(target.url, token).ask("GET", "/v1/manifest")
        yield ConnectCheck("token" + whose, True, f"opens the group {target.group}")
    except WireError as error:
        yield ConnectCheck("token" + whose, False, str(error))
    last = target.tokens.last_session(target.group, int(mark["token"]))
    if last is None:
        said = "no session began with it yet: start the client, and look again"
        yield ConnectCheck("used" + whose, None, said)
    else:
        yield ConnectCheck("used" + whose, True, f"the last session began {ago(last, now)}")
