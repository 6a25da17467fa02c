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
        mappings = kept_mappings(conn, at)
    shown = [
        {
            "name": kept.name,
            "columns": kept.mapping.text(),
            "zone": kept.mapping.zone,
            "time_unit": kept.mapping.time_unit,
            "decimal": kept.mapping.mark,
            "time_format": kept.mapping.time_format,
            "symbol": kept.symbol,
            "header": list(kept.header),
        }
        for kept in mappings
    ]
    call.answer(shown, lambda: mapping_list(mappings))


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
