"""Check a new methodology; each error names the field that is wrong."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, cast

from afterword.pipeline.core.store.codec import ITEMS, Coding
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text, check_word, short_repr
from afterword.pipeline.domain.memory.model import ORIGINS, Actor
from afterword.pipeline.domain.methodologies.indicators import checked_indicators, read_indicators
from afterword.pipeline.domain.methodologies.model import (
    DIRECTIONS,
    METHOD_SOURCES,
    SIGNALS,
    TIMEFRAMES,
    Methodology,
    MethodPhase,
    NewMethodology,
    PrimarySignal,
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

_MOST_IMPORTED: Final = 10**9
"""Uses of a record from elsewhere."""

_SHORT_NAME_CHARS: Final = 60
"""Characters of a name that is made of the text."""

_OTHER_CLASS_NAMES: Final = {"crypto_alt": "crypto_other"}
"""R5's example names a class that its own list does not have."""

_SOURCES_OF: Final[dict[Actor, tuple[str, ...]]] = {
    "agent": ("written",),
    "owner": ("written", "import", "placebo"),
    "system": METHOD_SOURCES,
}
"""The sources that a writer may name: an agent's words are never a record from elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedMethodology(NewMethodology):
    """A methodology as it is stored: checked, its secrets masked, and every field known."""

    asset_class: AssetClass
    name: str
    phases: tuple[MethodPhase, ...]
    primary_signal: PrimarySignal
    indicators: tuple[str, ...]

    @property
    def dedup_key(self) -> str:
        """Return the hash of the structured fields (R5)."""
        fields = [self.direction, self.primary_signal, self.timeframe, *self.indicators]
        return _digest([*fields, self.asset_class])

    @property
    def compared_text(self) -> str:
        """Return the words by which it is recognised: what to do, and what its phases ask for."""
        return compared_text(self.methodology, self.phases)


def content_digest(method: CheckedMethodology | Methodology) -> str:
    """Return the digest of all that a new or a stored methodology says."""
    texts = [method.name, method.methodology, method.evidence, phases_text(method.phases)]
    words = [method.asset_class, method.direction, method.primary_signal, method.timeframe]
    return _digest([*texts, *words, *method.indicators])


def compared_text(methodology: str, phases: Sequence[MethodPhase]) -> str:
    """Return the words by which a methodology is recognised."""
    criteria = (criterion for phase in phases for criterion in phase.criteria)
    return "\n".join([methodology, *criteria])


def phases_text(phases: Sequence[MethodPhase]) -> str:
    """Return phases as JSON, with the names of R5."""
    plain = [
        {
            "name": phase.name,
            "criteria": list(phase.criteria),
            "tools_used": list(phase.tools_used),
            "depends_on": list(phase.depends_on),
        }
        for phase in phases
    ]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def phases_of(text: str) -> tuple[MethodPhase, ...]:
    """Return the phases that `phases_text` wrote."""
    return tuple(
        MethodPhase(
            phase["name"],
            tuple(phase["criteria"]),
            tuple(phase["tools_used"]),
            tuple(phase["depends_on"]),
        )
        for phase in json.loads(text)
    )


PHASES: Final = Coding(phases_of, phases_text)
"""How phases are stored."""

ASCII_ITEMS: Final = Coding(ITEMS.read, json.dumps)
"""How other lists of a methodology are stored: in ASCII."""


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
    compared = compared_text(methodology, phases)
    try:
        signal = _signal(new.primary_signal, compared, f"{at}primary_signal")
    except InvalidInputError as error:
        raise InvalidInputError(f"{at}primary_signal", error.problem, error.accepted) from None
    indicators = (
        read_indicators(compared)
        if new.indicators is None
        else checked_indicators(new.indicators, f"{at}indicators")
    )
    name = one_line(methodology, _SHORT_NAME_CHARS) if new.name is None else mask(new.name)
    checked = {
        "key": None if new.key is None else mask(new.key),
        "asset_class": asset_class,
        "name": one_line(name, MAX_METHOD_NAME),
        "methodology": methodology,
        "evidence": mask(new.evidence),
        "phases": phases,
        "primary_signal": signal,
        "indicators": indicators,
    }
    as_given = {field.name: getattr(new, field.name) for field in fields(NewMethodology)}
    return CheckedMethodology(**as_given | checked)


def _asset_class(given: object, field: str) -> AssetClass:
    named = _OTHER_CLASS_NAMES.get(given, given) if isinstance(given, str) else given
    _required(named, asset_classes(), field)
    return cast(AssetClass, named)


def _required(given: object, accepted: Sequence[str], field: str) -> None:
    if given is None or given == "":
        raise InvalidInputError(field, "is missing", ", ".join(accepted))
    check_word(given, accepted, field)


def _signal(given: PrimarySignal | None, compared: str, field: str) -> PrimarySignal:
    if given is None:
        return read_signal(compared)
    check_word(given, SIGNALS, field)
    return given


def _check_writer(new: NewMethodology, actor: Actor, at: str) -> None:
    check_word(new.origin, ORIGINS, f"{at}origin")
    if new.origin == "owner" and actor == "agent":
        others = ", ".join(word for word in ORIGINS if word != "owner")
        raise InvalidInputError(f"{at}origin", "an agent's words are not the owner's", others)
    check_word(new.source, METHOD_SOURCES, f"{at}source")
    if new.source not in _SOURCES_OF[actor]:
        accepted = ", ".join(_SOURCES_OF[actor])
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
    if not _is_count(uses, _MOST_IMPORTED):
        accepted = f"a whole number from 0 to {_MOST_IMPORTED:,}"
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
    phases: list[MethodPhase] = []
    for place, phase in enumerate(_listed(given, MAX_PHASES, field, "phases")):
        at = f"{field}[{place}]"
        if not isinstance(phase, MethodPhase):
            raise InvalidInputError(at, f"is a {type(phase).__name__}", "a phase with a name")
        check_text(phase.name, MAX_PHASE_NAME, f"{at}.name")
        earlier = [before.name for before in phases]
        name = mask(phase.name)
        if name in earlier:
            problem = f"{short_repr(name)} names an earlier phase"
            raise InvalidInputError(f"{at}.name", problem, "a name of its own for each phase")
        depends_on = _texts(phase.depends_on, MAX_PHASES, MAX_PHASE_NAME, f"{at}.depends_on")
        for other in depends_on:
            if other not in earlier:
                accepted = f"earlier phases: {', '.join(earlier) or 'none'}"
                problem = f"{short_repr(other)} must be an earlier phase"
                raise InvalidInputError(f"{at}.depends_on", problem, accepted)
        criteria = _texts(phase.criteria, MAX_CRITERIA, MAX_CRITERION, f"{at}.criteria")
        tools = _texts(phase.tools_used, MAX_TOOLS, MAX_TOOL, f"{at}.tools_used")
        phases.append(MethodPhase(name, criteria, tools, depends_on))
    return tuple(phases)


def _texts(given: object, most: int, longest: int, field: str) -> tuple[str, ...]:
    texts = _listed(given, most, field, "texts")
    for place, text in enumerate(texts):
        check_text(text, longest, f"{field}[{place}]")
    return tuple(dict.fromkeys(map(mask, texts)))


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
    names = tuple(part.name for part in fields(MethodPhase))
    phases = []
    for place, phase in enumerate(_listed(given, MAX_PHASES, field, "phases")):
        at = f"{field}[{place}]"
        if not isinstance(phase, dict):
            accepted = f"an object: {', '.join(names)}"
            raise InvalidInputError(at, f"is a {type(phase).__name__}", accepted)
        for name in phase:
            if name not in names:
                problem = f"unknown field {short_repr(name)}"
                raise InvalidInputError(at, problem, ", ".join(names))
        if "name" not in phase:
            raise InvalidInputError(f"{at}.name", "is missing", "the name of the phase")
        phases.append(MethodPhase(**phase))
    return phases


def _digest(fields: Sequence[str]) -> str:
    written = json.dumps(list(fields), ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()
