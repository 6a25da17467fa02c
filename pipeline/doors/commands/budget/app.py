"""`afterword budget`: its commands, in the order of its help."""

from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.commands.budget.simulate import simulate
from afterword.pipeline.doors.commands.budget.spending import reserve, resume, settle, show, stop

app = section("See what models cost; stop all spending.")

app.command()(show)
app.command()(simulate)
app.command()(reserve)
app.command()(settle)
app.command()(stop)
app.command()(resume)
