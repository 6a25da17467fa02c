"""What loading a skill file as a start would came to."""

from afterword.pipeline.domain.skills.dry_run import RoleTrial, SkillTrial, SourceTrial
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, View
from afterword.pipeline.views.numbers import count


def skill_trial(trial: SkillTrial) -> View:
    """Return the roles of a skill file with their prompts, and what its code answered."""
    skills = ", ".join(trial.skills) or "none"
    head = Paragraph(f"{trial.file}: skills {skills}; {count(len(trial.roles), 'role')}")
    blocks: list[Block] = [head, *map(_role, trial.roles)]
    if trial.sources:
        lead = Paragraph("asked once about a sample decision:")
        answers = Fields({_name(one): one.answer for one in trial.sources})
        blocks.append(Section("", [lead, answers]))
    end = "nothing was stored" if trial.is_fine else "a registered object failed, see above"
    return View([*blocks, Section("", [Paragraph(end)])])


def _role(role: RoleTrial) -> Section:
    prompt = [Paragraph(f"  | {line}") for line in role.prompt.splitlines()]
    return Section(
        "", [Fields(_facts(role)), Paragraph("its prompt, with sample values:"), *prompt]
    )


def _facts(role: RoleTrial) -> dict[str, str]:
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


def _name(trial: SourceTrial) -> str:
    named_by = trial.role_id or "named by no role"
    return f"{trial.kind} {trial.name} ({named_by})"
