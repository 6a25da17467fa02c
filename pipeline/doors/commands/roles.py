"""`afterword role`: decisions, what became of them, and what was learned."""

from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.commands.roles_pattern import app as pattern
from afterword.pipeline.doors.commands.roles_recall import recall
from afterword.pipeline.doors.commands.roles_record import record
from afterword.pipeline.doors.commands.roles_reflect import mark, reflect
from afterword.pipeline.doors.commands.roles_show import list_, show
from afterword.pipeline.doors.commands.roles_summary import summary

app = section("Record decisions, reflect on them, and recall what was learned.")

app.command("list")(list_)
app.command()(show)
app.command()(record)
app.command()(reflect)
app.command()(recall)
app.command()(mark)
app.command()(summary)
app.add_typer(pattern, name="pattern")
