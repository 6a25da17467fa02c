"""The values that the tools of methods return; see `model`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.memory.flags import WITHHELD
from afterword.pipeline.domain.methodologies.model import AddedMethodology, Methodology
from afterword.pipeline.recall.prompts.sanitize import sanitize

if TYPE_CHECKING:  # loaded by who searches
    from afterword.pipeline.recall.methods.suggest import SuggestedMethods


@dataclass(frozen=True, slots=True)
class AgentMethod:
    """What became of a method that was added.

    Args:
        id: of the new one, or of the stored one that says the same.
        is_new: whether it is kept as a method of its own.
        note: what the agent should know, such as how it was recognised.
    """

    id: str
    is_new: bool
    note: str


@dataclass(frozen=True, slots=True)
class AgentSuggestion:
    """The methods that held up for an asset.

    Args:
        block: for the prompt; empty if there are none.
        hint_hash: to be given to `role_record` beside the ids of the methods that are followed.
    """

    asset: str
    asset_class: str
    block: str
    hint_hash: str | None
    methods: list[str]
    note: str


@dataclass(frozen=True, slots=True)
class AgentMethodPlan:
    """A method as a plan.

    Args:
        state: new, trying, promising, graduated, demoted, flagged, merged or deleted; only a
            graduated one held up.
        methodology: withheld where the injection scan found a payload in it.
        phases: in order, each with what must be found before it is done.
        record: how it did, in words.
    """

    id: str
    name: str
    state: str
    asset_class: str
    direction: str
    timeframe: str
    primary_signal: str
    indicators: list[str]
    methodology: str
    evidence: str
    phases: list[dict[str, Any]]
    record: str
    known_at: str


def added(done: AddedMethodology) -> AgentMethod:
    """Return what became of a new method as an agent sees it."""
    if done.is_repeat:
        note = "added before, under this key"
    elif done.is_new:
        note = "kept; it is suggested once enough decisions that cite it were right"
    else:
        note = "says the same as this one, which counts it as a sighting; cite this id"
    if done.payloads:
        note += f"; its text reads like an order to the agent ({', '.join(done.payloads)}), so no "
        note += "prompt shows it unless the owner clears it"
    return AgentMethod(done.uid, done.is_new, note)


def suggestion(found: "SuggestedMethods") -> AgentSuggestion:
    """Return suggested methods as an agent sees them."""
    note = found.luck or "no method was tried yet"
    if not found.methods:
        note = f"no method of {found.asset_class} held up so far. {found.luck}".strip()
    return AgentSuggestion(
        found.asset, found.asset_class, found.block, found.hint_hash, list(found.methods), note
    )


def planned(method: Methodology) -> AgentMethodPlan:
    """Return a method as a plan; a text with a payload is withheld."""
    from afterword.pipeline.recall.methods.block import record_words  # 50 ms of rules: see `pages`

    def shown(text: str) -> str:
        return sanitize(text) if method.is_clean else WITHHELD

    phases = [
        {
            "name": shown(phase.name),
            "criteria": [shown(text) for text in phase.criteria],
            "tools_used": [shown(text) for text in phase.tools_used],
            "depends_on": [shown(text) for text in phase.depends_on],
        }
        for phase in method.phases
    ]
    return AgentMethodPlan(
        id=method.uid,
        name=shown(method.name),
        state=method.state,
        asset_class=method.asset_class,
        direction=method.direction,
        timeframe=method.timeframe,
        primary_signal=method.primary_signal,
        indicators=list(method.indicators),
        methodology=shown(method.methodology),
        evidence=shown(method.evidence),
        phases=phases,
        record=record_words(method),
        known_at=iso(method.known_at),
    )
