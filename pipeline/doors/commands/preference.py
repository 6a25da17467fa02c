"""`afterword preference`: what was learned of your habits, and what counts."""

from typing import Annotated

import typer

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.checks import require_learning
from afterword.pipeline.domain.preferences.change import (
    approve_preference,
    check_approvable,
    propose_preference,
    reject_preference,
)
from afterword.pipeline.domain.preferences.dimensions import checked_value
from afterword.pipeline.domain.preferences.mine import MINE_TASK, mine_preferences
from afterword.pipeline.domain.preferences.model import Preference, PreferenceKind
from afterword.pipeline.domain.preferences.read import list_preferences, preference_story
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.doors.cli.owner import ask_owner
from afterword.pipeline.doors.cli.services import switches_of
from afterword.pipeline.views.memory.preferences import (
    dimension_facts,
    dimension_list,
    mining_done,
    mining_off,
    preference_changed,
    preference_facts,
    preference_list,
    preference_page,
    story_facts,
)

app = section("See what was learned of your habits, and decide what counts.")

_Id = Annotated[
    str, typer.Argument(metavar="ID", help="Its id, the beginning of it, or a dimension.")
]


@app.command("ls")
def list_(
    ctx: typer.Context,
    state: Annotated[
        str | None, typer.Option(metavar="STATE", help="Only: proposed, active or rejected.")
    ] = None,
    dimension: Annotated[
        str | None, typer.Option(metavar="DIMENSION", help="Only of it, such as max_leverage.")
    ] = None,
    as_of: AsOf = None,
) -> None:
    """List preferences with what speaks for and against them.

    Example: afterword preference ls --state proposed
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    known = list_preferences(call.store(), state=state, dimension=dimension, as_of=at)
    call.answer(list(map(preference_facts, known)), lambda: preference_list(known))


@app.command()
def show(ctx: typer.Context, preference: _Id, as_of: AsOf = None) -> None:
    """Show one preference: its record, its past, and each observation with its evidence.

    Example: afterword preference show 3f2a
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    story = preference_story(call.store(), preference, at)
    call.answer(story_facts(story), lambda: preference_page(story))


@app.command()
def approve(ctx: typer.Context, preference: _Id) -> None:
    """Let a preference count; a hard constraint asks you, at a terminal.

    Example: afterword preference approve 3f2a
    """
    call = Call(ctx)
    require_learning(call.settings.learning_enabled)
    by = call.owner()
    found = check_approvable(by, preference)
    if found.is_hard:
        question = f"Every agent will be told that you approved: {found.statement}. Approve?"
        ask_owner(call, question, "preference")
    approved = approve_preference(by, found.uid)
    _answer(call, by, approved)


@app.command()
def reject(ctx: typer.Context, preference: _Id) -> None:
    """End a preference: it does not count, and is not proposed again.

    Example: afterword preference reject 3f2a
    """
    call = Call(ctx)
    require_learning(call.settings.learning_enabled)
    by = call.owner()
    rejected = reject_preference(by, preference)
    _answer(call, by, rejected)


@app.command()
def propose(
    ctx: typer.Context,
    dimension: Annotated[
        str, typer.Argument(metavar="DIMENSION", help="See `preference dimensions`.")
    ],
    kind: Annotated[
        PreferenceKind, typer.Argument(metavar="KIND", help="soft_preference, hard_constraint.")
    ],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Such as 3, DOGE or never.")],
) -> None:
    """Propose a preference; it counts once it is observed, or once you approve it.

    Example: afterword preference propose max_leverage hard_constraint 3
    """
    call = Call(ctx)
    require_learning(call.settings.learning_enabled)
    checked_value(dimension, kind, value)  # before the store is opened: a refusal makes no group
    by = call.owner(create=True)
    proposed = propose_preference(by, dimension, kind, value)
    _answer(call, by, proposed)


@app.command()
def mine(ctx: typer.Context) -> None:
    """Learn preferences now from trades, decisions and chat.

    Example: afterword preference mine
    """
    call = Call(ctx)
    require_learning(call.settings.learning_enabled)
    stores = call.stores()
    mode = switches_of(call, stores).mode(MINE_TASK)
    if not mode.is_enabled:
        call.answer({"mode": mode, "changes": []}, mining_off)
        return
    store = stores.group(call.settings.group)
    by = Writer(store, call.roots.clock, call.roots.ids, "system", embeds=call.embeds)
    done = mine_preferences(by, "on" if mode.has_effect else "shadow")
    call.answer(done, lambda: mining_done(done))


@app.command()
def dimensions(ctx: typer.Context) -> None:
    """List what can be learned, with the values of each dimension and its kinds.

    Example: afterword preference dimensions
    """
    Call(ctx).answer(dimension_facts(), dimension_list)


def _answer(call: Call, by: Writer, preference: Preference) -> None:
    known = preference_story(by.store, preference.uid).known
    call.answer(preference_facts(known), lambda: preference_changed(known))
