"""`afterword institution`: its commands, in the order of its help."""

from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.commands.institution.prompt import retrospect, tool
from afterword.pipeline.doors.commands.institution.run import app as run

app = section("Capture runs of several roles, and see how they came out.")

app.add_typer(run, name="run")
app.command()(retrospect)
app.command()(tool)
