"""`afterword role`: decisions, what became of them, and what was learned."""

from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.commands.roles.pattern import app as pattern
from afterword.pipeline.doors.commands.roles.recall import recall
from afterword.pipeline.doors.commands.roles.record import record
from afterword.pipeline.doors.commands.roles.reflect import mark, reflect
from afterword.pipeline.doors.commands.roles.show import list_, show
from afterword.pipeline.doors.commands.roles.summary import summary

app = section("Record decisions, reflect on them, and recall what was learned.")

app.command("list")(list_)
app.command()(show)
app.command()(record)
app.command()(reflect)
app.command()(recall)
app.command()(mark)
app.command()(summary)
app.add_typer(pattern, name="pattern")
