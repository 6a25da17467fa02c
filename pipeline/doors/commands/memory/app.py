"""`afterword memory`: its commands, in the order of its help."""

from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.commands.memory.delete import delete, purge, restore
from afterword.pipeline.doors.commands.memory.flags import flagged, unflag
from afterword.pipeline.doors.commands.memory.read import read, show
from afterword.pipeline.doors.commands.memory.search import find, why_found
from afterword.pipeline.doors.commands.memory.take_along import export, import_
from afterword.pipeline.doors.commands.memory.write import edit, write

app = section("Write, search, edit, delete, unflag and purge memories.")

app.command("search")(find)
app.command("why")(why_found)
app.command()(write)
app.command()(read)
app.command()(show)
app.command()(delete)
app.command()(restore)
app.command()(edit)
app.command()(flagged)
app.command()(unflag)
app.command()(purge)
app.command()(export)
app.command("import")(import_)
