"""`afterword skill`: try out the file of a skill before a process starts with it."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from afterword.pipeline.domain.skills.dry_run import RoleTrial, SkillTrial, SourceTrial
from afterword.pipeline.domain.skills.dry_run_process import DEFAULT_LIMIT_S, try_skill_within
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.output import print_fields, print_line
from afterword.pipeline.errors import InvalidInputError

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
    given = _object(inputs)
    trial = try_skill_within(limit_s, call.settings.home, file, call.now(), given)
    call.answer(
        {
            "file": trial.file,
            "is_fine": trial.is_fine,
            "skills": trial.skills,
            "roles": trial.roles,
            "sources": trial.sources,
        },
        lambda: _print(trial),
    )
    if not trial.is_fine:
        raise typer.Exit(1)


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InvalidInputError("inputs", "is not a JSON object", '{"asset": "SOL"}')
    return found


def _print(trial: SkillTrial) -> None:
    counted = f"{len(trial.roles)} role{'' if len(trial.roles) == 1 else 's'}"
    print_line(f"{trial.file}: skills {', '.join(trial.skills) or 'none'}; {counted}")
    for role in trial.roles:
        typer.echo()
        print_fields(_fields(role))
        print_line("its prompt, with sample values:")
        for line in role.prompt.splitlines():
            print_line(f"  | {line}")
    if trial.sources:
        typer.echo()
        print_line("asked once about a sample decision:")
        print_fields({_name(one): one.answer for one in trial.sources})
    typer.echo()
    print_line("nothing was stored" if trial.is_fine else "a registered object failed, see above")


def _fields(role: RoleTrial) -> dict[str, str | int]:
    window = "" if role.window_hours is None else f", due after {role.window_hours} h"
    cron = "" if role.cron_expr is None else f" ({role.cron_expr} UTC)"
    return {
        "role": role.id,
        "label": role.label,
        "failure modes": "; ".join(role.failure_modes),
        "outcome probe": f"{role.outcome_probe}{window}",
        "ages": f"judged from {role.min_age_hours} h, skipped after {role.max_age_hours} h",
        "triggers": f"{', '.join(role.triggers)}{cron}",
        "post-hoc sources": "; ".join(role.post_hoc_probes) or "none",
    }


def _name(one: SourceTrial) -> str:
    named_by = one.role_id or "named by no role"
    return f"{one.kind} {one.name} ({named_by})"
