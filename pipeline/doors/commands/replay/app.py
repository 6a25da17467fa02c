"""`afterword replay`: its commands, in the order of its help."""

from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.commands.replay.ablate import ablate
from afterword.pipeline.doors.commands.replay.compare import compare
from afterword.pipeline.doors.commands.replay.listed import list_, rm
from afterword.pipeline.doors.commands.replay.probe import probe
from afterword.pipeline.doors.commands.replay.report import report
from afterword.pipeline.doors.commands.replay.run import resume, run
from afterword.pipeline.doors.commands.replay.sweep import sweep

app = section("Run the whole learning loop over past prices and decisions, and compare runs.")

app.command()(run)
app.command()(resume)
app.command("ls")(list_)
app.command()(rm)
app.command()(report)
app.command()(compare)
app.command()(ablate)
app.command()(sweep)
app.command()(probe)
