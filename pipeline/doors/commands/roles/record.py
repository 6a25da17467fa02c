"""`afterword role record`: one decision, or a file of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.model import DecisionIds, NewDecision, NewDecisionRow
from afterword.pipeline.domain.decisions.record import prepare, record_prepared
from afterword.pipeline.domain.methodologies.read import find_methodology, unknown_methods
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.agent.role_model import unknown_note
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.json_text import read_object
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import HappenedAt, LinesFile, RecordKey
from afterword.pipeline.doors.cli.text_file import read_text_file
from afterword.pipeline.doors.commands.roles.from_trips import record_from_trips
from afterword.pipeline.doors.commands.roles.lines import read_decisions
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.views.roles.listed import decision_recorded, decisions_recorded


def record(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="The role that decides.")] = "",
    decision: Annotated[
        str, typer.Argument(metavar="TEXT", help="What was decided, and why.")
    ] = "",
    asset: Annotated[str | None, typer.Option(help="What it is about, such as SOL.")] = None,
    direction: Annotated[str | None, typer.Option(help="long, short or neutral.")] = None,
    confidence: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    inputs: Annotated[str, typer.Option(metavar="JSON", help="What it was decided on.")] = "",
    context: Annotated[
        Path | None, typer.Option(metavar="FILE", help="All that was seen then, as JSON.")
    ] = None,
    decided_at: HappenedAt = None,
    key: RecordKey = None,
    supersedes: Annotated[
        str | None, typer.Option(metavar="UID", help="The decision that it replaces.")
    ] = None,
    stop: Annotated[
        str | None, typer.Option(metavar="PRICE", help="Its own stop; else from its inputs.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(metavar="PRICE", help="Its own target; else from its inputs.")
    ] = None,
    size_usd: Annotated[
        str | None, typer.Option(metavar="USD", help="Its size, leverage included.")
    ] = None,
    leverage: Annotated[
        str | None, typer.Option(metavar="TIMES", help="Above 0, such as 3.")
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A method it cites, by its id or number; can be repeated."),
    ] = None,
    hint_hash: Annotated[
        str | None, typer.Option(metavar="HASH", help="Digest of the hint it was shown.")
    ] = None,
    file: LinesFile = None,
    from_trips: Annotated[
        bool, typer.Option("--from-trips", help="Instead: the complete round trips of fills.")
    ] = False,
    account: Annotated[str | None, typer.Option(help="Of trips: only this account.")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="Of trips: opened from then on.")
    ] = None,
) -> None:
    """Record one decision, or all lines of a file; each waits until its outcome is known.

    Example: afterword role record market.spot.momentum "buy" --asset SOL --direction long
    """
    call = Call(ctx)
    registry = load_roles(call.settings.home)
    beside = (decision, asset, direction, confidence, inputs, context, decided_at, key)
    planned = (stop, target, size_usd, leverage, method or None, hint_hash)
    if from_trips:
        _refuse_beside("from-trips", *beside, supersedes, *planned, file)
        record_from_trips(call, registry, role, account, read_moment(since, "since"))
        return
    if (account, since) != (None, None):
        raise InvalidInputError("account and since", "are of trips", "--from-trips beside them")
    if file is not None:
        _refuse_beside("file", *beside, supersedes, *planned)
        _record_lines(call, registry, file, role)
        return
    new = NewDecision(
        role,
        decision,
        read_object(inputs or "{}", "inputs"),
        asset,
        cast(Stance | None, direction),
        confidence,
        read_moment(decided_at, "decided_at"),
        _context(context),
        key,
        origin="owner",
        supersedes=supersedes,
        stop_price=stop,
        target_price=target,
        size_usd=size_usd,
        leverage=leverage,
        methods=_cited(call, method or ()),
        hint_hash=hint_hash,
    )
    checked = prepare(registry, new)  # before the store is opened: a refused decision makes none
    (done,) = _recorded(call, registry, [checked])
    due = (new.decided_at or call.now()) + registry.role(role).reflection_policy.min_age
    note = unknown_note(_unknown(call, checked.methods))
    call.answer(done, lambda: decision_recorded(done, due, note))


def _cited(call: Call, given: Sequence[str]) -> tuple[str, ...]:
    """Return cited methods by their ids; the owner may name them by their numbers in the list."""
    if not any(map(_is_number, given)):
        return tuple(given)
    with reading(call.store()) as conn:
        return tuple(
            find_methodology(conn, name).uid if _is_number(name) else name for name in given
        )


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal()


def _unknown(call: Call, methods: str) -> list[str]:
    """Return the cited methods that nobody knows."""
    cited = json.loads(methods)
    if not cited:
        return []
    with reading(call.store()) as conn:
        return unknown_methods(conn, cited)


def _refuse_beside(field: str, *beside: object) -> None:
    if any(value not in ("", None) for value in beside):
        raise InvalidInputError(field, "is given beside a decision", "one of the two")


def _record_lines(call: Call, registry: RoleRegistry, file: Path, role: str) -> None:
    checked = read_decisions(file, registry, role)
    done = _recorded(call, registry, checked)
    cited = [uid for row in checked for uid in json.loads(row.methods)]
    note = unknown_note(_unknown(call, json.dumps(list(dict.fromkeys(cited)))))
    call.answer(done, lambda: decisions_recorded(done, note))


def _recorded(
    call: Call, registry: RoleRegistry, checked: Sequence[NewDecisionRow]
) -> list[DecisionIds]:
    store, roots = call.store(create=True), call.roots
    return record_prepared(
        store,
        registry,
        checked,
        roots.clock,
        roots.ids,
        actor="owner",
        embedding_enabled=call.embeds,
    )


def _context(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    return read_object(read_text_file(path, "context") or "{}", "context")
