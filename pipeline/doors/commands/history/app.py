"""`afterword history`: its commands, in the order of its help."""

from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.commands.history.edges import edges
from afterword.pipeline.doors.commands.history.fills import list_, show
from afterword.pipeline.doors.commands.history.import_files import import_
from afterword.pipeline.doors.commands.history.mappings import app as mappings
from afterword.pipeline.doors.commands.history.reconcile import reconcile
from afterword.pipeline.doors.commands.history.record import outcome, record
from afterword.pipeline.doors.commands.history.spot import spot

app = section("Import trades, list and show them.")

app.command("ls")(list_)
app.command("show")(show)
app.command("spot")(spot)
app.command("edges")(edges)
app.command("import")(import_)
app.command("record")(record)
app.command("outcome")(outcome)
app.command("reconcile")(reconcile)
app.add_typer(mappings, name="mappings")
