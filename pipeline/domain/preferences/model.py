"""A preference, and what was observed for and against it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple, get_args

from afterword.pipeline.domain.memory.model import Actor

PreferenceKind = Literal["habit", "soft_preference", "hard_constraint"]
"""What the user does; what the user said to like; what the user never allows."""

PREFERENCE_KINDS: Final[tuple[PreferenceKind, ...]] = get_args(PreferenceKind)

PreferenceState = Literal["proposed", "active", "rejected"]

PREFERENCE_STATES: Final[tuple[PreferenceState, ...]] = get_args(PreferenceState)

SeenIn = Literal["trades", "decisions", "chat"]

Evidence = tuple[str, str | int]
"""Kind and name of a thing, as `memory why` follows it."""


class PreferenceObservation(NamedTuple):
    """What one stretch of time shows of a dimension; however often, it counts once.

    Args:
        dimension: as an observation is filed; most are dimensions of preferences, too.
        value: what was done or said; several values of one stretch are several observations.
        kind: what a preference that is first learned from it is.
        stretch: its day, numbered from 1970; of a week its Monday.
        is_against: whether it was said that this is not liked any more.
        times: how many things show it; count.
        evidence: some of these.
    """

    dimension: str
    value: str
    kind: PreferenceKind
    seen_in: SeenIn
    stretch: int
    is_against: bool = False
    times: int = 1
    evidence: tuple[Evidence, ...] = ()

    @property
    def place(self) -> tuple[str, str, int, str, bool]:
        """Return what is observed once."""
        return self.dimension, self.seen_in, self.stretch, self.value, self.is_against


class StoredObservation(NamedTuple):
    """An observation with its row, and when it became known."""

    id: int
    seen: PreferenceObservation
    known_at: datetime


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference, as it stands since its last change.

    Args:
        value: as its dimension writes it.
        statement: what it says, as people and prompts read it.
        decided_by: who brought it into its state.
        observed_for, observed_against: stretches on which that was decided; counts.
        memory_id: of the memory that tells an active one; None without one.
        text_id: of the row that first had the statement, which its flag names.
        known_at: when it came into its state.
    """

    uid: str
    dimension: str
    kind: PreferenceKind
    value: str
    statement: str
    state: PreferenceState
    decided_by: Actor
    observed_for: int
    observed_against: int
    memory_id: int | None
    text_id: int
    proposed_at: datetime
    known_at: datetime
    superseded_at: datetime | None = None

    @property
    def is_hard(self) -> bool:
        """Whether only the owner may let it act."""
        return self.kind == "hard_constraint"

    @property
    def name(self) -> str:
        """Return what commands take, and what it says, for one line."""
        return f"{self.kind} {self.uid}"


@dataclass(frozen=True, slots=True)
class PreferenceRecord:
    """How observations of a preference add up.

    Args:
        followed, contradicted: stretches, of the newest that say something; counts.
        low: lower bound of the share that followed, in [0, 1].
    """

    followed: int
    contradicted: int
    low: float

    @property
    def observed(self) -> int:
        """Return how many stretches say something; count."""
        return self.followed + self.contradicted


@dataclass(frozen=True, slots=True)
class KnownPreference:
    """A preference with its record, and whether prompts may show it.

    Args:
        families: of the flag of its statement; empty for one that prompts may show.
    """

    preference: Preference
    record: PreferenceRecord
    families: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PreferenceStory:
    """All that is known of one preference.

    Args:
        past: its rows, the newest first; the first is its present.
        observations: what speaks for and against it, the newest first.
    """

    known: KnownPreference
    past: Sequence[Preference]
    observations: Sequence[tuple[StoredObservation, bool]]
