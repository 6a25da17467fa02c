"""`afterword fact`: what the agent recorded as true, and what became of it."""

from typing import Annotated, cast

import typer

from afterword.pipeline.domain.facts.consolidate import consolidate_pending
from afterword.pipeline.domain.facts.model import EventKind, FactState
from afterword.pipeline.domain.facts.read import (
    MAX_FACTS_READ,
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
from afterword.pipeline.doors.cli.options import AsOf, most_shown
from afterword.pipeline.doors.commands.memory.options import Tags
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.views.memory.facts import (
    fact_events,
    fact_list,
    fact_recorded,
    fact_stands_again,
    fact_story,
    facts_consolidated,
    past_fact_list,
)

app = section("Record facts, consolidate them, and take a decision back.")

_Limit = Annotated[int, most_shown("rows", MAX_FACTS_READ)]


@app.command()
def record(
    ctx: typer.Context,
    content: Annotated[str, typer.Argument(metavar="TEXT", help="One statement.")],
    tag: Tags = None,
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
    call.answer(written, lambda: fact_recorded(written, flagged))


@app.command("ls")
def list_(
    ctx: typer.Context,
    state: Annotated[
        str | None, typer.Option(help="Only pending, settled or retired facts.")
    ] = None,
    limit: _Limit = 50,
    as_of: AsOf = None,
) -> None:
    """List facts in every state, the last known first; with --as-of, those that stood then.

    Example: afterword fact ls --state pending
    """
    call = Call(ctx)
    if as_of is not None:
        _list_past(call, as_of, state, limit)
        return
    facts = list_facts(call.store(), cast(FactState | None, state), limit)
    call.answer(facts, lambda: fact_list(facts))


@app.command()
def show(
    ctx: typer.Context, fact: Annotated[int, typer.Argument(metavar="ID", help="A fact's number.")]
) -> None:
    """Show one fact and every decision it took part in.

    Example: afterword fact show 1
    """
    call = Call(ctx)
    shown = show_fact(call.store(), fact)
    call.answer(shown, lambda: fact_story(shown))


@app.command()
def events(
    ctx: typer.Context,
    kind: Annotated[
        str | None,
        typer.Option(help="Only settled, retired, superseded, kept, refused or undone."),
    ] = None,
    limit: _Limit = 50,
) -> None:
    """List what was decided about facts, the newest first.

    Example: afterword fact events --kind retired
    """
    call = Call(ctx)
    decided = list_events(call.store(), cast(EventKind | None, kind), limit)
    call.answer(decided, lambda: fact_events(decided))


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
    call.answer(done, lambda: fact_stands_again(done))


@app.command()
def consolidate(ctx: typer.Context) -> None:
    """Run the pass by rule now: pending facts settle, restatements give way.

    Example: afterword fact consolidate
    """
    call = Call(ctx)
    done = consolidate_pending(call.store(), call.roots.clock)
    call.answer(done, lambda: facts_consolidated(done))


def _list_past(call: Call, as_of: str, state: str | None, limit: int) -> None:
    if state is not None:
        raise InvalidInputError("state", "is given beside as-of", "one of the two")
    facts = standing_facts(call.store(), limit, as_of=read_moment(as_of, "as_of"))
    call.answer(facts, lambda: past_fact_list(facts))
