"""Check a new methodology; each error names the field that is wrong."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text, check_word, short_repr
from afterword.pipeline.domain.memory.model import ORIGINS, Actor
from afterword.pipeline.domain.methodologies.indicators import checked_indicators, read_indicators
from afterword.pipeline.domain.methodologies.model import (
    DIRECTIONS,
    SIGNALS,
    SOURCES,
    TIMEFRAMES,
    MethodDirection,
    MethodPhase,
    MethodSource,
    NewMethodology,
    PrimarySignal,
    Timeframe,
    asset_classes,
)
from afterword.pipeline.domain.methodologies.signals import read_signal
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.taxonomy import AssetClass
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

MAX_METHOD_NAME: Final = 120
MAX_METHODOLOGY: Final = 4_000
MAX_METHOD_EVIDENCE: Final = 4_000
"""Characters of a name, of what to do, and of what speaks for it."""

MAX_PHASES: Final = 12
MAX_PHASE_NAME: Final = 80
MAX_CRITERIA: Final = 12
MAX_CRITERION: Final = 300
MAX_TOOLS: Final = 12
MAX_TOOL: Final = 80
"""Limits of the plan: phases, criteria and tools of each (counts), and lengths (characters)."""

MOST_IMPORTED: Final = 10**9
"""Uses of a record from elsewhere."""

SHORT_NAME: Final = 60
"""Characters of a name that is made of the text."""

OTHER_CLASS_NAMES: Final = {"crypto_alt": "crypto_other"}
"""R5's example names a class that its own list does not have."""

SOURCES_OF: Final[dict[Actor, tuple[str, ...]]] = {
    "agent": ("written",),
    "owner": ("written", "import", "placebo"),
    "system": SOURCES,
}
"""The sources that a writer may name: an agent's words are never a record from elsewhere."""


@dataclass(frozen=True, slots=True)
class CheckedMethodology:
    """A methodology as it is stored: checked, its secrets masked, its fields normalised."""

    record_key: str | None
    origin: str
    source: MethodSource
    seeded_from: str
    asset_class: AssetClass
    name: str
    methodology: str
    evidence: str
    phases: tuple[MethodPhase, ...]
    direction: MethodDirection
    primary_signal: PrimarySignal
    timeframe: Timeframe
    indicators: tuple[str, ...]
    imported_uses: int | None
    imported_correct: int | None
    imported_confidence: float | None

    @property
    def dedup_key(self) -> str:
        """Return the hash of the structured fields (R5)."""
        fields = [self.direction, self.primary_signal, self.timeframe, *self.indicators]
        return _digest([*fields, self.asset_class])

    @property
    def compared_text(self) -> str:
        """Return the words by which it is recognised: what to do, and what its phases ask for."""
        return compared_text(self.methodology, self.phases)

    @property
    def content_digest(self) -> str:
        """Return the digest of all that it says."""
        said = [self.name, self.methodology, self.evidence, phases_text(self.phases)]
        fields = [self.asset_class, self.direction, self.primary_signal, self.timeframe]
        return _digest([*said, *fields, *self.indicators])


def compared_text(methodology: str, phases: Sequence[MethodPhase]) -> str:
    """Return the words by which a methodology is recognised."""
    return "\n".join([methodology, *(one for phase in phases for one in phase.criteria)])


def phases_text(phases: Sequence[MethodPhase]) -> str:
    """Return phases as JSON, with the names of R5."""
    plain = [
        {
            "name": one.name,
            "criteria": list(one.criteria),
            "tools_used": list(one.tools_used),
            "depends_on": list(one.depends_on),
        }
        for one in phases
    ]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def require_learning(is_enabled: bool) -> None:
    """Refuse to learn while learning is switched off (R5): nothing is written then.

    Raises:
        InvalidInputError: it is off.
    """
    if not is_enabled:
        problem = "is off, so nothing is added, changed or suggested"
        raise InvalidInputError("learning_enabled", problem, "AFTERWORD_LEARNING_ENABLED=true")


def check_methodology(new: NewMethodology, actor: Actor, at: str = "") -> CheckedMethodology:
    """Return a methodology as it is stored.

    Args:
        actor: who writes it; only the owner speaks for the owner.
        at: its place in a list, such as `methodologies[3].`; prefix of field names.

    Raises:
        InvalidInputError: the first field found to be wrong.
    """
    check_text(new.methodology, MAX_METHODOLOGY, f"{at}methodology")
    asset_class = _asset_class(new.asset_class, f"{at}asset_class")
    _required(new.direction, DIRECTIONS, f"{at}direction")
    _required(new.timeframe, TIMEFRAMES, f"{at}timeframe")
    if new.name is not None:
        check_text(new.name, MAX_METHOD_NAME, f"{at}name")
    if new.evidence != "":
        check_text(new.evidence, MAX_METHOD_EVIDENCE, f"{at}evidence")
    if new.key is not None:
        check_text(new.key, MAX_NAME, f"{at}key")
    _check_writer(new, actor, at)
    _check_imported(new, at)
    phases = _phases(new.phases, f"{at}phases")
    methodology = mask(new.methodology)
    said = compared_text(methodology, phases)
    try:
        signal = _signal(new.primary_signal, said, f"{at}primary_signal")
    except InvalidInputError as error:
        raise InvalidInputError(f"{at}primary_signal", error.problem, error.accepted) from None
    indicators = (
        read_indicators(said)
        if new.indicators is None
        else checked_indicators(new.indicators, f"{at}indicators")
    )
    name = one_line(methodology, SHORT_NAME) if new.name is None else mask(new.name)
    return CheckedMethodology(
        record_key=None if new.key is None else mask(new.key),
        origin=new.origin,
        source=new.source,
        seeded_from=json.dumps(list(new.seeded_from)),
        asset_class=asset_class,
        name=one_line(name, MAX_METHOD_NAME),
        methodology=methodology,
        evidence=mask(new.evidence),
        phases=phases,
        direction=new.direction,
        primary_signal=signal,
        timeframe=new.timeframe,
        indicators=indicators,
        imported_uses=new.imported_uses,
        imported_correct=new.imported_correct,
        imported_confidence=new.imported_confidence,
    )


def _asset_class(given: object, field: str) -> AssetClass:
    named = OTHER_CLASS_NAMES.get(given, given) if isinstance(given, str) else given
    _required(named, asset_classes(), field)
    return cast(AssetClass, named)


def _required(given: object, accepted: Sequence[str], field: str) -> None:
    if given is None or given == "":
        raise InvalidInputError(field, "is missing", ", ".join(accepted))
    check_word(given, accepted, field)


def _signal(given: PrimarySignal | None, said: str, field: str) -> PrimarySignal:
    if given is None:
        return read_signal(said)
    check_word(given, SIGNALS, field)
    return given


def _check_writer(new: NewMethodology, actor: Actor, at: str) -> None:
    check_word(new.origin, ORIGINS, f"{at}origin")
    if new.origin == "owner" and actor == "agent":
        others = ", ".join(word for word in ORIGINS if word != "owner")
        raise InvalidInputError(f"{at}origin", "an agent's words are not the owner's", others)
    check_word(new.source, SOURCES, f"{at}source")
    if new.source not in SOURCES_OF[actor]:
        accepted = ", ".join(SOURCES_OF[actor])
        raise InvalidInputError(f"{at}source", f"{new.source} is not the {actor}'s", accepted)
    if new.seeded_from and actor != "system":
        raise InvalidInputError(f"{at}seeded_from", f"is not the {actor}'s to name", "none")


def _check_imported(new: NewMethodology, at: str) -> None:
    uses, correct, confidence = new.imported_uses, new.imported_correct, new.imported_confidence
    if uses is None and correct is None and confidence is None:
        return
    if new.source != "import":
        problem = "is a record from elsewhere"
        raise InvalidInputError(f"{at}imported_uses", problem, "the source import beside it")
    if not _is_count(uses, MOST_IMPORTED):
        accepted = f"a whole number from 0 to {MOST_IMPORTED:,}"
        raise InvalidInputError(f"{at}imported_uses", _wrong(uses), accepted)
    if not _is_count(correct, cast(int, uses)):
        accepted = f"a whole number from 0 to {uses}"
        raise InvalidInputError(f"{at}imported_correct", _wrong(correct), accepted)
    if confidence is not None:
        is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool)
        if not is_number or not 0 <= confidence <= 1:
            problem = f"is {short_repr(confidence)}"
            raise InvalidInputError(f"{at}imported_confidence", problem, "a number from 0 to 1")


def _wrong(value: object) -> str:
    return "is missing" if value is None else f"is {short_repr(value)}"


def _is_count(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _phases(given: object, field: str) -> tuple[MethodPhase, ...]:
    """Return masked phases; each depends on earlier ones only: they can be done in order."""
    phases = _listed(given, MAX_PHASES, field, "phases")
    found: list[MethodPhase] = []
    for place, one in enumerate(phases):
        at = f"{field}[{place}]"
        if not isinstance(one, MethodPhase):
            raise InvalidInputError(at, f"is a {type(one).__name__}", "a phase with a name")
        check_text(one.name, MAX_PHASE_NAME, f"{at}.name")
        earlier = [phase.name for phase in found]
        name = mask(one.name)
        if name in earlier:
            problem = f"{short_repr(name)} names an earlier phase"
            raise InvalidInputError(f"{at}.name", problem, "a name of its own for each phase")
        depends_on = _texts(one.depends_on, MAX_PHASES, MAX_PHASE_NAME, f"{at}.depends_on")
        for other in depends_on:
            if other not in earlier:
                accepted = f"earlier phases: {', '.join(earlier) or 'none'}"
                problem = f"{short_repr(other)} is no earlier phase"
                raise InvalidInputError(f"{at}.depends_on", problem, accepted)
        criteria = _texts(one.criteria, MAX_CRITERIA, MAX_CRITERION, f"{at}.criteria")
        tools = _texts(one.tools_used, MAX_TOOLS, MAX_TOOL, f"{at}.tools_used")
        found.append(MethodPhase(name, criteria, tools, depends_on))
    return tuple(found)


def _texts(given: object, most: int, longest: int, field: str) -> tuple[str, ...]:
    found = _listed(given, most, field, "texts")
    for place, one in enumerate(found):
        check_text(one, longest, f"{field}[{place}]")
    return tuple(dict.fromkeys(mask(one) for one in found))


def _listed(given: object, most: int, field: str, noun: str) -> Sequence[Any]:
    accepted = f"a list of up to {most} {noun}"
    if not isinstance(given, list | tuple):
        raise InvalidInputError(field, f"{short_repr(given)} is not a list", accepted)
    if len(given) > most:
        raise InvalidInputError(field, f"has {len(given)}", accepted)
    return given


def read_phases(given: object, field: str) -> list[MethodPhase]:
    """Return phases as JSON has them, as values; `check_methodology` checks what is in them.

    Raises:
        InvalidInputError: not a list of objects, or an object with an unknown or missing field.
    """
    phases = []
    for place, one in enumerate(_listed(given, MAX_PHASES, field, "phases")):
        at = f"{field}[{place}]"
        names = ("name", "criteria", "tools_used", "depends_on")
        if not isinstance(one, dict):
            raise InvalidInputError(
                at, f"is a {type(one).__name__}", f"an object: {', '.join(names)}"
            )
        for name in one:
            if name not in names:
                problem = f"unknown field {short_repr(name)}"
                raise InvalidInputError(at, problem, ", ".join(names))
        if "name" not in one:
            raise InvalidInputError(f"{at}.name", "is missing", "the name of the phase")
        values: dict[str, Any] = dict(one)
        phases.append(MethodPhase(**values))
    return phases


def _digest(fields: Sequence[str]) -> str:
    written = json.dumps(list(fields), ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()
