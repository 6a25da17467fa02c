"""`afterword token`: who may call `afterword serve`."""

from typing import Annotated

import typer

from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.gateway.access.model import CALLER_ROLES, CallerRole
from afterword.pipeline.gateway.access.tokens import AccessTokens
from afterword.pipeline.views.operator.tokens import token_issued, token_list, token_revoked

app = section("Issue, list and revoke the tokens of `afterword serve`.")


@app.command()
def issue(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="agent, owner or observer.")],
    label: Annotated[str, typer.Option(metavar="TEXT", help="What it is for.")] = "",
) -> None:
    """Make a token and show it once. An agent's opens the group of --group alone.

    Example: afterword token issue agent --label hermes
    """
    call = Call(ctx)
    check_word(role, CALLER_ROLES, "role")
    known: CallerRole = role  # type: ignore[assignment]  # checked above
    group = call.settings.group if known == "agent" else None
    issued = _tokens(call, create=True).issue(known, group, label)
    call.answer(
        {"id": issued.token.id, "role": known, "group": group, "token": issued.text},
        lambda: token_issued(issued),
    )


@app.command("ls")
def ls(ctx: typer.Context) -> None:
    """List every token; what opens the door is not shown.

    Example: afterword token ls
    """
    call = Call(ctx)
    tokens = _tokens(call).all() if call.is_installed() else []
    call.answer(tokens, lambda: token_list(tokens, call.now()))


@app.command()
def revoke(
    ctx: typer.Context,
    token: Annotated[int, typer.Argument(metavar="ID", help="Its number in `token ls`.")],
) -> None:
    """Let a token open nothing from now on, in every process.

    Example: afterword token revoke 1
    """
    call = Call(ctx)
    revoked = _tokens(call).revoke(token)
    call.answer(revoked, lambda: token_revoked(revoked))


def _tokens(call: Call, create: bool = False) -> AccessTokens:
    return AccessTokens(call.stores(create).instance, call.roots.clock, call.roots.ids)
