"""`afterword role`: decisions, what became of them, and what was learned."""

from pipeline.cli.lazy import section
from pipeline.cli.roles_recall import recall
from pipeline.cli.roles_record import record
from pipeline.cli.roles_reflect import mark, reflect
from pipeline.cli.roles_show import list_, show

app = section("Record decisions, reflect on them, and recall what was learned.")

app.command("list")(list_)
app.command()(show)
app.command()(record)
app.command()(reflect)
app.command()(recall)
app.command()(mark)
