"""`afterword profile set`, `ls` and `drop`: named facts of the user, such as the risk tolerance."""

from typing import Annotated

import typer

from afterword.pipeline.domain.memory.user_profile import (
    check_value,
    drop_profile_value,
    read_profile,
    set_profile_value,
)
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.memory.profile import (
    profile_list,
    profile_value_dropped,
    profile_value_set,
)

_Key = Annotated[str, typer.Argument(metavar="KEY", help="Such as risk_tolerance.")]


def set_(
    ctx: typer.Context,
    key: _Key,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What it is from now on.")],
) -> None:
    """Set a value; the one before stays readable as of its time.

    Example: afterword profile set risk_tolerance low
    """
    call = Call(ctx)
    check_value(key, value)  # before the store is opened: a refused value makes no group
    flag, name = set_profile_value(call.owner(create=True), key, value), mask(key)
    answer = {"key": name, "set": True, "flagged": flag.families if flag else ()}
    call.answer(answer, lambda: profile_value_set(name, flag))


def list_(ctx: typer.Context, as_of: AsOf = None) -> None:
    """List the values by name.

    Example: afterword profile ls
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    profile = read_profile(call.store(), at)
    call.answer(profile, lambda: profile_list(profile))


def drop(ctx: typer.Context, key: _Key) -> None:
    """Let a value end; it stays readable as of its time.

    Example: afterword profile drop risk_tolerance
    """
    call = Call(ctx)
    drop_profile_value(call.owner(), key)
    call.answer({"key": key, "dropped": True}, lambda: profile_value_dropped(key))
