"""`afterword methodology`: its commands, in the order of its help."""

from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.commands.methodology.add import add
from afterword.pipeline.doors.commands.methodology.cases import case, cases
from afterword.pipeline.doors.commands.methodology.change import clear, delete
from afterword.pipeline.doors.commands.methodology.show import list_, show, suggest
from afterword.pipeline.doors.commands.methodology.synthesize import synthesize

app = section("Methods of analysis: add, list, show, suggest and delete them.")

app.command()(add)
app.command("ls")(list_)
app.command()(show)
app.command()(suggest)
app.command()(delete)
app.command()(clear)
app.command()(synthesize)
app.command()(cases)
app.command()(case)
