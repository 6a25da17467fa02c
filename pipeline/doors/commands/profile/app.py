"""`afterword profile`: its commands, in the order of its help."""

from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.commands.profile.onboard import onboard
from afterword.pipeline.doors.commands.profile.prompt import app as prompt
from afterword.pipeline.doors.commands.profile.prompt import flags
from afterword.pipeline.doors.commands.profile.refresh import refresh
from afterword.pipeline.doors.commands.profile.show import portrait, show
from afterword.pipeline.doors.commands.profile.tags import app as tags
from afterword.pipeline.doors.commands.profile.values import drop, list_, set_

app = section("Say who you are, and see what is known of you.")

app.command()(show)
app.command()(portrait)
app.command()(refresh)
app.command()(onboard)
app.add_typer(tags, name="tags")
app.add_typer(prompt, name="prompt")
app.command()(flags)
app.command("set")(set_)
app.command("ls")(list_)
app.command()(drop)
