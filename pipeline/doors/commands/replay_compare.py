"""`afterword replay compare`: where two replays part, and which decisions ended otherwise."""

import json
from typing import Annotated, Any, Final

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import print_line, print_table
from afterword.pipeline.operations.replay.compare import (
    DifferingEvent,
    ReplayComparison,
    compare_replays,
)
from afterword.pipeline.operations.replay.run import status_of
from afterword.pipeline.views.words import moment, shorten

_LONGEST: Final = 160
"""Characters of a value that is shown."""

_SAID: Final = frozenset({"event", "moment", "name"})
"""What the line above the values says."""


def compare(
    ctx: typer.Context,
    left: Annotated[str, typer.Argument(metavar="NAME", help="One replay.")],
    right: Annotated[str, typer.Argument(metavar="OTHER", help="The other one.")],
) -> None:
    """Name the first event in which two replays differ, and count their decisions by key.

    Example: afterword replay compare sol sol-stricter
    """
    call = Call(ctx)
    stores = call.stores()
    one, other = stores.replay(left), stores.replay(right)
    before, after = status_of(one), status_of(other)
    with reading(one) as conn, reading(other) as beside:
        found = compare_replays((conn, before), (beside, after))
    call.answer(found, lambda: _print(found))


def _print(found: ReplayComparison) -> None:
    for name, (one, other) in found.settings.items():
        shown = (shorten(json.dumps(value), _LONGEST) for value in (one, other))
        print_line(f"setting {name}: {' | '.join(shown)}")
    if found.first is None:
        until = "" if found.same_until is None else f" until {moment(found.same_until)}"
        print_line(f"{found.left} and {found.right} are equal{until}: every hashed row is the same")
        return
    if found.same_until is not None:
        print_line(f"equal until {moment(found.same_until)}")
    _print_event(found, found.first)
    print_line(
        f"{found.paired:,} decisions in both, {found.differing:,} of them with another end; "
        f"{found.only_left:,} only in {found.left}, {found.only_right:,} only in {found.right}"
    )
    if found.pairs:
        rows = [
            (pair.key, moment(pair.at), ", ".join(pair.differing), *_ends(pair.left, pair.right))
            for pair in found.pairs
        ]
        names = ("decision", "decided", "differs in", found.left, found.right)
        print_table(names, rows, empty="")


def _print_event(found: ReplayComparison, first: DifferingEvent) -> None:
    at = "at the end" if first.at is None else f"at {moment(first.at)}"
    print_line(f"the first difference is {at}: {first.kind} {first.name}")
    for name, line in ((found.left, first.left), (found.right, first.right)):
        if line is None:
            print_line(f"  {name} has no such event there")
            continue
        values = dict(zip(first.names, json.loads(line), strict=True))
        wanted = [first.names[place] for place in first.differing]
        shown = {one: values[one] for one in wanted or first.names if one not in _SAID}
        print_line(f"  {name}: {shorten(_named(shown), _LONGEST)}")


def _named(values: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in values.items()
    )


def _ends(left: object, right: object) -> tuple[str, str]:
    return tuple(  # type: ignore[return-value]  # two of them
        " ".join(str(one[name] or "-") for name in ("direction", "outcome", "result"))  # type: ignore[index]
        for one in (left, right)
    )
