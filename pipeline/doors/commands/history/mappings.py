"""`afterword history mappings`: the mappings of columns that were kept for the next file."""

from typing import Annotated

import typer

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.exports.kept import drop_mapping, kept_mappings
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.options import AsOf
from afterword.pipeline.views.trades.history import mapping_dropped, mapping_list

app = section("See and drop the mappings of columns that were kept.")


@app.command("ls")
def list_(ctx: typer.Context, as_of: AsOf = None) -> None:
    """List the kept mappings by name.

    Example: afterword history mappings ls
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    with reading(call.store()) as conn:
        found = kept_mappings(conn, at)
    shown = [
        {
            "name": one.name,
            "columns": one.mapping.text(),
            "zone": one.mapping.zone,
            "time_unit": one.mapping.time_unit,
            "decimal": one.mapping.mark,
            "time_format": one.mapping.time_format,
            "symbol": one.symbol,
            "header": list(one.header),
        }
        for one in found
    ]
    call.answer(shown, lambda: mapping_list(found))


@app.command()
def drop(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `ls` shows it.")],
) -> None:
    """Let a kept mapping end; it stays readable as of its time.

    Example: afterword history mappings drop my-program
    """
    call = Call(ctx)
    with writing(call.store()) as conn:
        drop_mapping(conn, name, call.now())
    call.answer({"name": name, "dropped": True}, lambda: mapping_dropped(name))
