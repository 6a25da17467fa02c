"""`afterword profile prompt` and `flags`: your words for every agent, and what prompts show."""

from typing import Annotated

import typer

from afterword.pipeline.domain.profile.financial_profile import (
    check_prompt,
    read_custom_prompt,
    read_financial_profile,
    set_custom_prompt,
    set_flags,
)
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.views.memory.portrait import (
    custom_prompt_set,
    custom_prompt_view,
    flags_view,
)

app = section("Show, set and clear what you tell every agent.")


@app.command()
def get(ctx: typer.Context, as_of: AsOf = None) -> None:
    """Show the custom prompt.

    Example: afterword profile prompt get
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    prompt = read_custom_prompt(call.store(), at)
    answer = {"custom_prompt": prompt.text, "flagged": prompt.families}
    call.answer(answer, lambda: custom_prompt_view(prompt.text, prompt.families))


@app.command("set")
def set_(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Up to 2,000 characters.")],
) -> None:
    """Set what every agent is told; no agent can.

    Example: afterword profile prompt set "Prefer stablecoin pairs"
    """
    call = Call(ctx)
    check_prompt(text)  # before the store is opened: a refused text makes no group
    flag = set_custom_prompt(call.owner(create=True), text)
    answer = {"set": True, "flagged": flag.families if flag else ()}
    call.answer(answer, lambda: custom_prompt_set(text, flag))


@app.command()
def clear(ctx: typer.Context) -> None:
    """Tell agents nothing any more; the text stays readable as of its time.

    Example: afterword profile prompt clear
    """
    call = Call(ctx)
    set_custom_prompt(call.owner(), None)
    call.answer({"cleared": True}, lambda: custom_prompt_set(None, None))


def flags(
    ctx: typer.Context,
    memories: Annotated[
        bool | None, typer.Option("--memories/--no-memories", help="Memories about you.")
    ] = None,
    trading_summary: Annotated[
        bool | None,
        typer.Option("--trading-summary/--no-trading-summary", help="What you traded."),
    ] = None,
    tags: Annotated[
        bool | None, typer.Option("--tags/--no-tags", help="Tags, and what trades say.")
    ] = None,
) -> None:
    """Show which parts of the profile prompts show, or change it.

    Example: afterword profile flags --no-tags
    """
    call = Call(ctx)
    given = (memories, trading_summary, tags)
    if given == (None, None, None):
        profile = read_financial_profile(call.store())
    else:
        profile = set_flags(
            call.owner(create=True),
            include_memories=memories,
            include_trading_summary=trading_summary,
            include_tags=tags,
        )
    answer = {
        "include_memories": profile.include_memories,
        "include_trading_summary": profile.include_trading_summary,
        "include_tags": profile.include_tags,
    }
    call.answer(answer, lambda: flags_view(profile))
