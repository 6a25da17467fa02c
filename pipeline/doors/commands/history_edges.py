"""`afterword history edges`: trades of which two files cannot tell whether they are the same."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer

from afterword.pipeline.clock import from_millis, iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.history.files import KnownFile, known_files, undecided_edges
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import print_line, print_table

_EQUAL = "one fill or two"
_LAYOUTS = "two layouts"
_COLUMNS = ("undecided", "account", "market", "from", "to", "fills", "files")


def edges(
    ctx: typer.Context,
    account: Annotated[str | None, typer.Option(help="Only this account.")] = None,
) -> None:
    """List trades that may stand in two files, with how to decide it.

    Example: afterword history edges
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        files = known_files(conn, account)
    found = [*_equal(files), *_aside(files)]
    call.answer(found, lambda: _print(found))


def _equal(files: Iterable[KnownFile]) -> Iterator[dict[str, Any]]:
    """Yield equal fills without an id where two files meet."""
    for edge in undecided_edges(files):
        market, _, _, _, price, size = edge.equal_to.rsplit(":", 5)
        symbol, _, side = market.split(":", 2)[2].rpartition(":")
        at = iso(from_millis(edge.at_ms))
        yield {
            "sort": _EQUAL,
            "account": edge.account,
            "market": symbol,
            "first": at,
            "last": at,
            "side": "buy" if side == "B" else "sell",
            "size": size,
            "price": price,
            "fills": edge.fills,
            "files": list(edge.files),
        }


def _aside(files: Iterable[KnownFile]) -> Iterator[dict[str, Any]]:
    """Yield what was left out of a file, since another layout tells of the same trades."""
    for file in files:
        for one in file.set_aside:
            yield {
                "sort": _LAYOUTS,
                "account": file.account,
                "market": one.symbol,
                "first": iso(from_millis(one.first_ms)),
                "last": iso(from_millis(one.last_ms)),
                "fills": one.fills,
                "files": [file.name],
                "layouts": [file.layout, *one.others],
            }


def _print(found: list[dict[str, Any]]) -> None:
    rows = [
        [
            *(one["sort"], one["account"], one["market"], one["first"], one["last"]),
            str(one["fills"]),
            ", ".join(one["files"]),
        ]
        for one in found
    ]
    print_table(_COLUMNS, rows, "nothing is undecided")
    sorts = {one["sort"] for one in found}
    if _EQUAL in sorts:
        print_line(
            f"{_EQUAL}: equal fills without an id at the end of one file and the beginning of the"
            " other are kept once. Import a file that goes on over that moment: it decides them."
        )
    if _LAYOUTS in sorts:
        print_line(
            f"{_LAYOUTS}: another file tells of the same trades, and the two do not agree. These"
            " fills were left out. If they are of another account, import their file with --account"
            " NAME; if that file is the better one, import it alone into a new group."
        )
