"""`afterword skill`: try out the file of a skill before a process starts with it."""

from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.domain.skills.dry_run_process import DEFAULT_LIMIT_S, try_skill_within
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.json_text import read_object
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.views.roles.skill_trial import skill_trial

app = section("Try out the file of a skill.")


@app.command()
def check(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file of a skill, such as desk.py.")
    ],
    inputs: Annotated[
        str, typer.Option(metavar="JSON", help="Inputs of the sample decision, as one object.")
    ] = "{}",
    limit_s: Annotated[
        float,
        typer.Option(min=0.1, help="How long it may take to load, and for each answer; seconds."),
    ] = DEFAULT_LIMIT_S,
) -> None:
    """Load a skill file as a start would, fill its prompts, and ask its code once.

    Example: afterword skill check desk.py
    """
    call = Call(ctx)
    sample = read_object(inputs, "inputs")
    trial = try_skill_within(limit_s, call.settings.home, file, call.now(), sample)
    call.answer(
        {
            "file": trial.file,
            "is_fine": trial.is_fine,
            "skills": trial.skills,
            "roles": trial.roles,
            "sources": trial.sources,
        },
        lambda: skill_trial(trial),
    )
    if not trial.is_fine:
        raise typer.Exit(1)
