"""`afterword fact`: what the agent recorded as true, and what became of it."""

from typing import Annotated, Any, Final, cast

import typer

from afterword.pipeline.domain.facts.consolidate import consolidate_pending
from afterword.pipeline.domain.facts.model import Event, EventKind, Fact, State
from afterword.pipeline.domain.facts.read import (
    MAX_READ,
    list_events,
    list_facts,
    show_fact,
    standing_facts,
)
from afterword.pipeline.domain.facts.record import check_facts, record_fact
from afterword.pipeline.domain.facts.undo import undo_event
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import get_memory
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_line, print_table
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.flagged import flag_line
from afterword.pipeline.views.words import moment, shorten

app = section("Record facts, consolidate them, and take a decision back.")

MAX_SHOWN: Final = 160
"""Characters of a fact in a table; `--json` has all of it."""

_EVENTS: Final = ("event", "at", "kind", "fact", "other", "by", "why")

Limit = Annotated[int, typer.Option(help=f"Most rows shown, up to {MAX_READ}.")]


@app.command()
def record(
    ctx: typer.Context,
    content: Annotated[str, typer.Argument(metavar="TEXT", help="One statement.")],
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be repeated.")] = None,
) -> None:
    """Record a fact as the agent does: pending until the pass has seen it.

    Example: afterword fact record "the desk trades SOL perps"
    """
    call = Call(ctx)
    new = NewMemory("fact", content, tags=tag or ())
    check_facts([new])  # before the store is opened: a refused fact makes no group
    store, roots = call.store(create=True), call.roots
    written = record_fact(store, new, roots.clock, roots.ids, embedding_enabled=call.embeds)
    flagged = get_memory(store, written.id).flagged

    def text() -> None:
        print_line(f"fact {written.id} ({written.uid}) is pending")
        if flagged:
            print_line(flag_line(f"fact {written.id}", str(written.id), flagged))

    call.answer(written, text)


@app.command("ls")
def list_(
    ctx: typer.Context,
    state: Annotated[
        str | None, typer.Option(help="Only pending, settled or retired facts.")
    ] = None,
    limit: Limit = 50,
    as_of: Annotated[
        str | None, typer.Option(metavar="MOMENT", help="What stood then, retired since or not.")
    ] = None,
) -> None:
    """List facts in every state, the last known first.

    Example: afterword fact ls --state pending
    """
    call = Call(ctx)
    if as_of is not None:
        _list_past(call, as_of, state, limit)
        return
    found = list_facts(call.store(), cast(State | None, state), limit)
    columns = ("id", "state", "by", "known", "text")
    call.answer(found, lambda: print_table(columns, [_fact(one) for one in found], "no facts"))


@app.command()
def show(
    ctx: typer.Context, fact: Annotated[int, typer.Argument(metavar="ID", help="A fact's number.")]
) -> None:
    """Show one fact and every decision it took part in.

    Example: afterword fact show 1
    """
    call = Call(ctx)
    shown = show_fact(call.store(), fact)

    def text() -> None:
        one = shown.fact
        print_fields(
            {
                "fact": str(one.id),
                "text": one.content,
                "state": one.state,
                "retired by": _id(one.retired_by),
                "origin": one.origin,
                "version": one.version,
                "known": moment(one.known_at),
                "last said": moment(one.said_at),
            }
        )
        print_table(_EVENTS, [_event(event) for event in shown.events], "nothing was decided yet")

    call.answer(shown, text)


@app.command()
def events(
    ctx: typer.Context,
    kind: Annotated[
        str | None,
        typer.Option(help="Only settled, retired, superseded, kept, refused or undone."),
    ] = None,
    limit: Limit = 50,
) -> None:
    """List what was decided about facts, the newest first.

    Example: afterword fact events --kind retired
    """
    call = Call(ctx)
    found = list_events(call.store(), cast(EventKind | None, kind), limit)
    call.answer(found, lambda: print_table(_EVENTS, [_event(one) for one in found], "no events"))


@app.command()
def undo(
    ctx: typer.Context,
    event: Annotated[int, typer.Argument(metavar="EVENT", help="One of kind retired, superseded.")],
) -> None:
    """Let the fact that gave way stand again; the two are never compared again.

    Example: afterword fact undo 1
    """
    call = Call(ctx)
    done = undo_event(call.store(), event, call.roots.clock)
    call.answer(done, lambda: print_line(f"fact {done.memory_id} stands again (event {done.id})"))


@app.command()
def consolidate(ctx: typer.Context) -> None:
    """Run the pass by rule now: pending facts settle, restatements give way.

    Example: afterword fact consolidate
    """
    call = Call(ctx)
    done = consolidate_pending(call.store(), call.roots.clock)
    call.answer(
        done, lambda: print_line(f"{done.settled:,} facts settled, {done.retired:,} retired")
    )


def _list_past(call: Call, as_of: str, state: str | None, limit: int) -> None:
    if state is not None:
        raise InvalidInputError("state", "is given beside as-of", "one of the two")
    found = standing_facts(call.store(), limit, as_of=read_moment(as_of, "as_of"))
    rows: list[list[Cell]] = [
        [str(one.id), moment(one.known_at), shorten(one.content, MAX_SHOWN)] for one in found
    ]
    call.answer(found, lambda: print_table(("id", "known", "text"), rows, "no facts"))


def _fact(fact: Fact) -> list[Cell]:
    text = shorten(fact.content, MAX_SHOWN)
    return [str(fact.id), fact.state, _id(fact.retired_by), moment(fact.known_at), text]


def _event(event: Event) -> list[Cell]:
    kind = f"{event.kind} (undone)" if event.undone else event.kind
    why = shorten(" ".join(filter(None, (_reason(event.detail), event.said))), MAX_SHOWN)
    about = str(event.memory_id), _id(event.other_id)
    return [str(event.id), moment(event.at), kind, *about, event.decided_by, why]


def _reason(detail: Any) -> str:
    return str(detail.get("reason", ""))


def _id(memory_id: int | None) -> str:
    return "" if memory_id is None else str(memory_id)
