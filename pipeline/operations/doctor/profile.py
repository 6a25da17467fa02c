"""Check what is known of the user, and whether prompts show it."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.profile.model import UNSET_PROFILE
from afterword.pipeline.domain.profile.portrait import UserTraits, traits_at
from afterword.pipeline.operations.doctor import memory_rows
from afterword.pipeline.operations.doctor.model import Finding, SoundFile
from afterword.pipeline.recall.prompts import turn_tag_rows
from afterword.pipeline.rules.user_tags.schema import TAG_SOURCES

_SAID_BY: Final = {
    "user": "declared",
    "learned_preference": "of learned preferences",
    "inferred": "concluded",
}
_HIDDEN: Final = {
    "include_tags": "tags",
    "include_trading_summary": "the trading summary",
    "include_memories": "memories about the user",
}


def check_profile(file: SoundFile) -> Iterator[Finding]:
    """Count tags by source, and those that trades contradict; no finding if nothing is known."""
    with reading(file.store) as conn:
        traits = traits_at(conn, file.now(), None)
        asked = turn_tag_rows.counts(conn)
    subject, profile = f"profile of {file.name}", traits.profile
    if traits.tags or profile != UNSET_PROFILE:
        yield Finding(subject, "fine", _known(traits))
    differing = [each for each in traits.observed if each.agreement == "differs"]
    if differing:
        says = f"trades contradict {_tags(len(differing))} that was declared"
        if len(differing) > 1:
            says = f"trades contradict {_tags(len(differing))} that were declared"
        yield Finding(subject, "note", says, "`afterword profile show` tells both")
    hidden = [words for flag, words in _HIDDEN.items() if not getattr(profile, flag)]
    if hidden:
        remedy = "`afterword profile flags` shows and changes it"
        yield Finding(subject, "note", f"prompts do not show {', '.join(hidden)}", remedy)
    if traits.prompt_families:
        says = "the custom prompt reads like an order that lifts rules: prompts leave it out"
        yield Finding(subject, "note", says, "`afterword memory unflag prompt:1`, if you mean it")
    if asked.failed:
        says = (
            f"a model said for {asked.answered:,} turns which tags they need, and the rules for "
            f"{asked.failed:,}, since it did not answer"
        )
        yield Finding(subject, "note", says, "`afterword llm check --fast`")


def check_snapshots(file: SoundFile) -> Iterator[Finding]:
    """Count what changed since open sessions were shown a snapshot; no finding without one.

    A frozen snapshot is not renewed (R1's dirty counters say when its program does so).
    """
    with reading(file.store) as conn:
        snapshots = memory_rows.open_snapshots(conn)
    if snapshots.sessions:
        sessions = (
            "1 open session"
            if snapshots.sessions == 1
            else (f"{snapshots.sessions:,} open sessions")
        )
        says = (
            f"snapshots: {sessions}; {snapshots.changed:,} memories changed since the newest of "
            "them began, and its prompt does not show that"
        )
        yield Finding(f"memory of {file.name}", "fine", says)


def _known(traits: UserTraits) -> str:
    by_source = Counter(tag.source for tag in traits.tags)
    tags = ", ".join(f"{by_source[source]} {_SAID_BY[source]}" for source in TAG_SOURCES)
    is_done = traits.profile.onboarding_completed_at is not None
    prompt = "a" if traits.profile.custom_prompt else "no"
    return f"tags: {tags}; onboarding {'done' if is_done else 'not done'}; {prompt} custom prompt"


def _tags(count: int) -> str:
    return "1 tag" if count == 1 else f"{count} tags"
