"""Preferences: what was learned, what speaks for and against it, and what became of it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from afterword.pipeline.domain.preferences.dimensions import PREFERENCE_DIMENSIONS, kinds_of
from afterword.pipeline.domain.preferences.habits import day_of
from afterword.pipeline.domain.preferences.mine import PreferenceMining
from afterword.pipeline.domain.preferences.model import (
    KnownPreference,
    Preference,
    PreferenceStory,
    StoredObservation,
)
from afterword.pipeline.rules.text.numbers import percent
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.flagged import flag_line
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.words import moment, one_line

_COLUMNS: Final = ("id", "state", "kind", "says", "followed", "contradicted", "at least")
_NONE: Final = "nothing was learned yet: trades, decisions and chat of some days show habits"
_MOST_OBSERVED: Final = 30


def preference_list(known: Sequence[KnownPreference]) -> View:
    """Return preferences below each other, and what waits for the owner."""
    blocks: list[Block] = [Table(_COLUMNS, list(map(_row, known)), _NONE)]
    waiting = [
        one for one in known if one.preference.is_hard and one.preference.state == "proposed"
    ]
    if waiting:
        waits = "waits" if len(waiting) == 1 else "wait"
        words = f"{count(len(waiting), 'hard constraint')} {waits} for you"
        blocks.append(Paragraph(f"{words}: `afterword preference approve ID`"))
    return View(blocks)


def preference_page(story: PreferenceStory) -> View:
    """Return one preference with its past and its observations."""
    preference = story.known.preference
    past = [(moment(row.known_at), row.state, row.decided_by, _counts(row)) for row in story.past]
    seen = [_observation_row(row, follows) for row, follows in story.observations]
    left = len(seen) - _MOST_OBSERVED
    note = f"and {left} more" if left > 0 else ""
    return View(
        [
            Fields(_fields(story.known)),
            Section("Past", [Table(("since", "state", "by", "decided on"), past)]),
            Section(
                "Observed",
                [
                    Table(
                        ("day", "in", "shows", "speaks", "of"),
                        seen[:_MOST_OBSERVED],
                        f"nothing is observed of {preference.dimension} yet",
                    )
                ],
                note,
            ),
        ]
    )


def preference_changed(known: KnownPreference) -> View:
    """Return what state a preference is in now, and what that means."""
    preference = known.preference
    says = f"{preference.uid} ({one_line(preference.statement)}) is {preference.state}"
    approve = f"you approve it: `afterword preference approve {preference.uid}`"
    is_seen = PREFERENCE_DIMENSIONS[preference.dimension].observed_as and not preference.is_hard
    means = {
        "active": "prompts show it",
        "rejected": "it does not count, and is not proposed again",
        "proposed": f"it does not count until {'it is observed, or ' if is_seen else ''}{approve}",
    }
    flag = [] if not known.families else [Paragraph(_flag_words(known))]
    return View([Paragraph(f"{says}: {means[preference.state]}"), *flag])


def mining_done(done: PreferenceMining) -> View:
    """Return what a run changed, or in shadow mode would have."""
    rows = [
        (
            change.becomes,
            change.kind,
            one_line(f"{change.dimension}: {change.value}"),
            f"{change.record.followed} of {change.record.observed}",
        )
        for change in done.changes
    ]
    words = f"{count(done.observed, 'observation')} changed"
    if not done.is_effective:
        words = f"shadow mode, nothing was done: {words.replace('changed', 'would change')}"
    table = Table(("change", "kind", "preference", "followed"), rows, "no preference changes")
    return View([table, Paragraph(words)])


def mining_off() -> View:
    """Return that the switch is off."""
    words = "the switch mine_preferences is off: `afterword switch set mine_preferences on`"
    return View([Paragraph(words)])


def dimension_list() -> View:
    """Return the dimensions with their values and kinds."""
    rows = [
        (name, ", ".join(dimension.values) or dimension.accepted, ", ".join(kinds_of(dimension)))
        for name, dimension in PREFERENCE_DIMENSIONS.items()
    ]
    return View([Table(("dimension", "values", "kinds"), rows)])


def dimension_facts() -> list[dict[str, Any]]:
    """Return the dimensions as a program reads them."""
    return [
        {
            "dimension": name,
            "values": tuple(dimension.values),
            "accepted": dimension.accepted or None,
            "kinds": kinds_of(dimension),
            "is_tag": dimension.is_tag,
        }
        for name, dimension in PREFERENCE_DIMENSIONS.items()
    ]


def preference_facts(known: KnownPreference | Preference) -> dict[str, Any]:
    """Return a preference as a program reads it, with its record where that was read."""
    if isinstance(known, Preference):
        return {name: value for name, value in asdict(known).items() if name not in _INSIDE}
    return preference_facts(known.preference) | {
        "followed": known.record.followed,
        "contradicted": known.record.contradicted,
        "at_least": round(known.record.low, 4),
        "flagged": known.families,
    }


def story_facts(story: PreferenceStory) -> dict[str, Any]:
    """Return all of one preference as a program reads it."""
    return preference_facts(story.known) | {
        "past": [preference_facts(row) for row in story.past],
        "observations": [
            {
                "day": day_of(row.seen.stretch),
                "seen_in": row.seen.seen_in,
                "shows": row.seen.value,
                "follows": follows,
                "times": row.seen.times,
                "evidence": [f"{thing}:{name}" for thing, name in row.seen.evidence],
                "known_at": row.known_at,
            }
            for row, follows in story.observations
        ],
    }


_INSIDE: Final = frozenset({"text_id", "memory_id", "superseded_at"})
"""Fields of the store alone."""


def _row(known: KnownPreference) -> tuple[Cell, ...]:
    preference, record = known.preference, known.record
    flagged = " (like an order: not shown)" if known.families else ""
    return (
        Ref(preference.uid, "preference", preference.uid),
        preference.state,
        preference.kind,
        one_line(preference.statement) + flagged,
        f"{record.followed:,}",
        f"{record.contradicted:,}",
        percent(record.low),
    )


def _fields(known: KnownPreference) -> dict[str, str]:
    preference, record = known.preference, known.record
    fields = {
        "preference": preference.uid,
        "says": one_line(preference.statement),
        "dimension": f"{preference.dimension}: {one_line(preference.value)}",
        "kind": preference.kind,
        "state": f"{preference.state}, by the {preference.decided_by}",
        "followed": f"{record.followed} of {record.observed}; at least {percent(record.low)}",
    }
    if known.families:
        fields["flag"] = _flag_words(known)
    return fields


def _flag_words(known: KnownPreference) -> str:
    name = f"preference:{known.preference.text_id}"
    return f"{flag_line('the statement', name, known.families)}; it cannot be approved before"


def _counts(row: Preference) -> str:
    return f"{row.observed_for} for, {row.observed_against} against"


def _observation_row(row: StoredObservation, follows: bool) -> tuple[str, ...]:
    seen = row.seen
    first = " ".join(map(str, seen.evidence[0])) if seen.evidence else ""
    evidence = first if seen.times < 2 else f"{first} and {seen.times - 1:,} more"
    speaks = "for" if follows else "against"
    return day_of(seen.stretch), seen.seen_in, one_line(seen.value), speaks, one_line(evidence)
