"""`afterword connect`: connect a client to the memory."""

import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from afterword.pipeline.core.store import Stores
from afterword.pipeline.domain.clients.sessions import last_client_session
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.loading import loading
from afterword.pipeline.doors.commands.serving import address_of
from afterword.pipeline.doors.connect.check import check_connection
from afterword.pipeline.doors.connect.clients import CLIENTS, client_of
from afterword.pipeline.doors.connect.connect import apply, plan, remove
from afterword.pipeline.doors.connect.model import ClientEdit, ClientPlug, ConnectTarget
from afterword.pipeline.doors.connect.record import ConnectRecord
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.gateway.access.model import IssuedToken
from afterword.pipeline.gateway.access.tokens import AccessTokens
from afterword.pipeline.settings import Settings
from afterword.pipeline.views.operator.connections import (
    connection_checks,
    edits_removed,
    edits_shown,
    edits_written,
)


def connect(
    ctx: typer.Context,
    client: Annotated[str, typer.Argument(metavar="CLIENT", help=f"{', '.join(CLIENTS)}.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be written, and write nothing.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Say whether the connection works; exit 1 if not.")
    ] = False,
    take_back: Annotated[
        bool, typer.Option("--remove", help="Remove what was written, and nothing else.")
    ] = False,
    user: Annotated[
        str,
        typer.Option(
            metavar="ID", help="Whose memory it is, in a client with many users; else one's own."
        ),
    ] = "",
    folder: Annotated[
        Path | None,
        typer.Option(help="The client's own folder, instead of the usual one.", show_default=False),
    ] = None,
    url: Annotated[
        str,
        typer.Option(metavar="URL", help="Where `afterword serve` is reached, if not here."),
    ] = "",
) -> None:
    """Connect a client to the memory of a group; its files keep every byte that is not ours.

    Example: afterword connect hermes
    """
    call = Call(ctx)
    if dry_run + check + take_back > 1:
        raise InvalidInputError("connect", "was asked for two things", "one of the options")
    with loading():
        plug = client_of(client)
    if user and not plug.has_users:
        raise InvalidInputError("user", f"{plug.title} has one user", "no --user")
    place = _folder(plug, folder)
    record = ConnectRecord(call.settings.home, plug.name, place)
    target = _target(call, record, place, url, user)
    if dry_run:
        _show(call, plug, target, record)
    elif check:
        _check(call, plug, target, record)
    elif take_back:
        _remove(call, plug, target, record)
    else:
        _connect(call, plug, target, record)


def _connect(call: Call, plug: ClientPlug, target: ConnectTarget, record: ConnectRecord) -> None:
    edits = _edits(plug, target)
    written = [part.edit.place for part in apply(plan(edits, record), record)]
    answer = {"client": plug.name, "url": target.url, "group": target.group, "written": written}
    call.answer(
        answer,
        lambda: edits_written(plug.title, written, plug.advice(target), has_edits=bool(edits)),
    )


def _edits(plug: ClientPlug, target: ConnectTarget) -> Sequence[ClientEdit]:
    """Return the edits of a client that is there."""
    edits = plug.edits(target)
    if edits and not target.folder.is_dir():
        accepted = f"the folder of {plug.title}; start it once, or name its folder"
        raise InvalidInputError("folder", f"there is no {target.folder}", accepted)
    return edits


def _show(call: Call, plug: ClientPlug, target: ConnectTarget, record: ConnectRecord) -> None:
    planned = plan(_edits(plug, target), record)
    edits = [(part.edit.place, part.state, part.edit.shown()) for part in planned]
    shown = [{"place": place, "state": state, "text": text} for place, state, text in edits]
    answer = {"client": plug.name, "url": target.url, "group": target.group, "edits": shown}
    call.answer(answer, lambda: edits_shown(edits, plug.advice(target)))


def _check(call: Call, plug: ClientPlug, target: ConnectTarget, record: ConnectRecord) -> None:
    checks = check_connection(plug, _recorded(target, record), record, call.now())
    call.answer([check._asdict() for check in checks], lambda: connection_checks(checks))
    if any(check.holds is False for check in checks):
        raise typer.Exit(1)


def _remove(call: Call, plug: ClientPlug, target: ConnectTarget, record: ConnectRecord) -> None:
    edits = {edit.place: edit for part in _recorded(target, record) for edit in plug.edits(part)}
    if target.user:  # the files that all users share stay
        edits = {
            place: edit
            for place, edit in edits.items()
            if record.marks.get(place, {}).get("user") == target.user
        }
    done = remove(list(edits.values()), record)
    call.answer(done._asdict(), lambda: edits_removed(plug.title, done.removed, done.left))
    if done.left:
        raise typer.Exit(1)


def _target(call: Call, record: ConnectRecord, folder: Path, url: str, user: str) -> ConnectTarget:
    """Return what is connected; what was named before need not be named again."""
    known = record.tokens.get(user, {})
    group = call.named_group or known.get("group")
    if group is None and user:
        accepted = "--group NAME: the group that has this user's memory, and nobody else's"
        raise InvalidInputError("group", "is not named", accepted)
    return ConnectTarget(
        folder,
        _checked_url(url) if url else known.get("url") or _own_url(call.settings),
        group or call.settings.group,
        user,
        call.settings,
        _program(),
        _Tokens(call),
    )


def _recorded(target: ConnectTarget, record: ConnectRecord) -> list[ConnectTarget]:
    """Return what was connected: the user that was named, or else all of them."""
    if target.user or not record.tokens:
        return [target]
    return [
        replace(target, user=user, url=mark["url"], group=mark["group"])
        for user, mark in record.tokens.items()
    ]


def _folder(plug: ClientPlug, named: Path | None) -> Path:
    if named is None and plug.folder_variable:
        value = os.environ.get(plug.folder_variable, "")
        named = Path(value) if value else None
    usual = Path.home() / plug.default_folder if plug.default_folder else Path.cwd()
    return (named or usual).expanduser().absolute()


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or set("?#@ ") & set(url):
        accepted = "an address such as http://10.0.0.2:8765"
        raise InvalidInputError("url", f"is {url!a:.100}", accepted)
    return url.rstrip("/")


def _own_url(settings: Settings) -> str:
    """Return where this machine reaches its own server."""
    host = address_of(settings)
    if host.is_unspecified:
        host = ip_address("127.0.0.1")
    return f"http://{f'[{host}]' if host.version == 6 else host}:{settings.http_port}"


def _program() -> str:
    """Return the command that starts this program: a client has another PATH."""
    beside = Path(sys.executable).with_name("afterword")
    return str(beside) if beside.exists() else shutil.which("afterword") or "afterword"


class _Tokens:
    """The tokens of an installation, which the first one creates."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._stores: Stores | None = None

    def issue(self, group: str, label: str) -> IssuedToken:
        """Return a new agent's token of a group."""
        return self._all(create=True).issue("agent", group, label)

    def revoke(self, token_id: int) -> None:
        """End a token; one that is gone is no fault."""
        if self._call.is_installed():
            with suppress(NotFoundError):
                self._all().revoke(token_id)

    def is_live(self, token_id: int) -> bool:
        """Return whether a token opens the door."""
        known = self._all().all() if self._call.is_installed() else []
        return any(token.id == token_id and token.revoked_at is None for token in known)

    def last_session(self, group: str, token_id: int) -> datetime | None:
        """Return when a token last began a session; None if it never did."""
        try:
            return last_client_session(self._opened().group(group), token_id)
        except NotFoundError:
            return None

    def _all(self, create: bool = False) -> AccessTokens:
        roots = self._call.roots
        return AccessTokens(self._opened(create).instance, roots.clock, roots.ids)

    def _opened(self, create: bool = False) -> Stores:
        if self._stores is None:
            self._stores = self._call.stores(create)
        return self._stores
