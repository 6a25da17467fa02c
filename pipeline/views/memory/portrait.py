"""The portrait of the user, and the row of the profile."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from afterword.pipeline.domain.memory.flags import Flag
from afterword.pipeline.domain.memory.model import Memory
from afterword.pipeline.domain.profile.model import FinancialProfile
from afterword.pipeline.domain.profile.portrait import Portrait
from afterword.pipeline.domain.rebuilds.status import RebuildStatus
from afterword.pipeline.recall.prompts.turn_preview import TurnPreview
from afterword.pipeline.rules.user_tags.compared import TagComparison
from afterword.pipeline.rules.user_tags.schema import parse_stored_tag_value
from afterword.pipeline.views.blocks import (
    Block,
    Fields,
    Items,
    Paragraph,
    Section,
    Table,
    Verbatim,
    View,
)
from afterword.pipeline.views.flagged import flag_line, marked_text
from afterword.pipeline.views.memory.rebuilds import rebuild_table
from afterword.pipeline.views.memory.tags import tag_facts, tag_table
from afterword.pipeline.views.words import SHOWN_CHARS, moment, printable, shorten


def portrait_facts(
    portrait: Portrait, rebuilds: Sequence[RebuildStatus] | None = None
) -> dict[str, Any]:
    """Return a portrait as a program reads it.

    Args:
        rebuilds: None in a read of the past.
    """
    facts = {
        "profile": portrait.traits.profile,
        "custom_prompt_flagged": portrait.traits.prompt_families,
        "tags": tag_facts(portrait.traits.tags),
        "observed": [_comparison_facts(comparison) for comparison in portrait.traits.observed],
        "memories": portrait.memories,
    }
    return facts if rebuilds is None else {**facts, "rebuilds": rebuilds}


def portrait_view(portrait: Portrait, rebuilds: Sequence[RebuildStatus] | None = None) -> View:
    """Return all that is known of the user.

    Args:
        rebuilds: None in a read of the past.
    """
    traits = portrait.traits
    last = [] if rebuilds is None else [Section("Rebuilds", [rebuild_table(rebuilds)])]
    return View(
        [
            Section("Tags", [tag_table(traits.tags)]),
            Section("Declared against observed", [_observed(traits.observed)]),
            Section("Trading summary", _summaries(traits.profile)),
            Section("Memories about you", [_memories(portrait.memories)]),
            Section("Custom prompt", _prompt(traits.profile.custom_prompt, traits.prompt_families)),
            Section("Profile", [profile_fields(traits.profile)]),
            *last,
        ],
        is_prose=True,
    )


def personalization_text(text: str) -> View:
    """Return what prompts are told of the user."""
    return View([Verbatim(text) if text else Paragraph("nothing is known of the user")])


def turn_preview_text(preview: TurnPreview) -> View:
    """Return what a turn is told of the user beside the start of its session."""
    if preview.text:
        return View([Verbatim(preview.text)])
    if not preview.dimensions:
        return View([Paragraph("a turn with this message needs no further tag")])
    needed = ", ".join(preview.dimensions)
    return View([Paragraph(f"it needs {needed}, of which nothing is known or shown")])


def profile_fields(profile: FinancialProfile) -> Fields:
    """Return which parts prompts show, and since when."""
    fields = {
        "prompts show memories": _yes(profile.include_memories),
        "prompts show the trading summary": _yes(profile.include_trading_summary),
        "prompts show tags": _yes(profile.include_tags),
    }
    if profile.onboarding_completed_at is not None:
        fields["onboarding"] = f"completed {moment(profile.onboarding_completed_at)}"
    if profile.updated_at is not None:
        fields["changed"] = moment(profile.updated_at)
    return Fields(fields)


def custom_prompt_view(prompt: str | None, families: Sequence[str]) -> View:
    """Return what the owner tells every agent."""
    return View(_prompt(prompt, families))


def custom_prompt_set(prompt: str | None, flag: Flag | None) -> View:
    """Return that the custom prompt was set or cleared."""
    blocks: list[Block] = [Paragraph(f"the custom prompt is {'set' if prompt else 'cleared'}")]
    if flag is not None:
        blocks.append(Paragraph(flag_line("the custom prompt", flag.name, flag.families)))
    return View(blocks)


def flags_view(profile: FinancialProfile) -> View:
    """Return which parts of the profile prompts show."""
    return View([profile_fields(profile)])


def _comparison_facts(comparison: TagComparison) -> dict[str, Any]:
    """Return a comparison as a program reads it: the values of markets as a list."""
    values = {"declared": comparison.declared, "observed": comparison.observed}
    return asdict(comparison) | {
        name: None if stored is None else parse_stored_tag_value(comparison.dimension, stored)
        for name, stored in values.items()
    }


def _observed(observed: Sequence[TagComparison]) -> Block:
    rows = [(comparison.dimension, comparison.says) for comparison in observed]
    return Items([f"{dimension}: {says}" for dimension, says in rows])


def _summaries(profile: FinancialProfile) -> list[Block]:
    summaries = (profile.platform_wallet_summary, profile.reference_wallets_summary)
    lines = [line for text in summaries if text for line in text.splitlines() if line.strip()]
    told: list[Block] = [Paragraph(printable(" ".join(line.split()))) for line in lines]
    return told or [Paragraph("none yet")]


def _memories(memories: Sequence[Memory]) -> Block:
    rows = [
        (memory.id, shorten(marked_text(memory), SHOWN_CHARS), moment(memory.updated_at))
        for memory in memories
    ]
    return Table(("id", "memory", "since"), rows, "none yet")


def _prompt(prompt: str | None, families: Sequence[str]) -> list[Block]:
    if prompt is None:
        return [Paragraph("none; `afterword profile prompt set TEXT` gives one to every agent")]
    lines = "\n".join(printable(line) for line in prompt.splitlines())
    blocks: list[Block] = [Verbatim(lines)]
    if families:
        names = ", ".join(families)
        blocks.append(
            Paragraph(f"It reads like an order that lifts rules ({names}): prompts leave it out.")
        )
    return blocks


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"
