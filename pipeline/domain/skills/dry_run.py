"""Try out the file of a skill: load it as a start would, fill its prompts, ask its code once.

Nothing is stored. What the file registers runs for real: a probe that asks the outside asks it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.outcomes.evidence import (
    PostHocSpec,
    RefetchSource,
    Snapshot,
)
from afterword.pipeline.domain.outcomes.probes import Claim, Custom, PeerRelative, PriceDelta
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.skills.answer import checked_outcome
from afterword.pipeline.domain.skills.discover import find_modules, place_of, registry_of
from afterword.pipeline.domain.skills.failure import failure_of
from afterword.pipeline.domain.skills.model import Role
from afterword.pipeline.domain.skills.registry import RoleRegistry
from afterword.pipeline.domain.skills.template import PROMPT_PLACES, fill
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

SAMPLE_INPUTS: Final[Mapping[str, Any]] = {"asset": "BTC", "peers": ["ETH", "SOL"]}
"""Inputs of the sample decision, where the caller gives no others."""

_DAY: Final = timedelta(days=1)
_NO_PRICES: Final = PriceBook({})


@dataclass(frozen=True, slots=True)
class RoleTrial:
    """A role as a start reads it.

    Args:
        outcome_probe: how its decisions are measured, in words.
        window_hours: when an outcome is due; None if a person marks it.
        cron_expr: None without the trigger `cron`.
        post_hoc_probes: the sources its judge reads, in words.
        prompt: its reflection prompt, filled with sample values.
    """

    id: str
    label: str
    failure_modes: tuple[str, ...]
    outcome_probe: str
    window_hours: int | None
    min_age_hours: int
    max_age_hours: int
    triggers: tuple[str, ...]
    cron_expr: str | None
    post_hoc_probes: tuple[str, ...]
    prompt: str


@dataclass(frozen=True, slots=True)
class SourceTrial:
    """What one registered object answered about the sample decision.

    Args:
        role_id: the role whose declaration it was asked with; None if no role names it.
        answer: what it said, or how it failed, on one line.
    """

    kind: Literal["probe", "tool", "snapshot"]
    name: str
    role_id: str | None
    is_fine: bool
    answer: str


@dataclass(frozen=True, slots=True)
class SkillTrial:
    """What the file of a skill declares, and how its code answered."""

    file: str
    skills: tuple[str, ...]
    roles: tuple[RoleTrial, ...]
    sources: tuple[SourceTrial, ...]

    @property
    def is_fine(self) -> bool:
        """Whether everything that was asked gave an answer that can be used."""
        return all(source.is_fine for source in self.sources)


def try_skill(
    home: Path,
    path: Path,
    now: datetime,
    inputs: Mapping[str, Any] | None = None,
    asking: Callable[[str], object] = lambda _: None,
) -> SkillTrial:
    """Return what the file of a skill declares, and what its probes, tools and snapshots answer.

    Args:
        home: its skills, and those of packages, are loaded before the file.
        path: a file anywhere; it need not be in the home yet.
        now: when the sample decision is asked about; aware.
        inputs: of the sample decision, beside or instead of `SAMPLE_INPUTS`.
        asking: told what is asked next, such as `probe whales`.

    Raises:
        NotFoundError: there is no such file.
        InvalidInputError: with this file no process would start.
    """
    if not path.is_file():
        raise NotFoundError(f"there is no file {path}; name the file of a skill, such as desk.py")
    modules = list(find_modules(home, also=path))
    registry = registry_of(modules)
    (own,) = (module for module in modules if module.at == place_of(path, home))
    roles = [role for skill in own.skills for role in skill.memory_roles]
    sample = _Sample(registry, now, {**SAMPLE_INPUTS, **(inputs or {})}, asking)
    return SkillTrial(
        own.at,
        tuple(skill.id for skill in own.skills),
        tuple(_role(role) for role in roles),
        tuple(_sources(own.registered, list(registry), sample)),
    )


@dataclass(frozen=True, slots=True)
class _Sample:
    registry: RoleRegistry
    now: datetime
    inputs: Mapping[str, Any]
    asking: Callable[[str], object]

    def claim(self, window: timedelta) -> Claim:
        """Return a decision that is due now."""
        return Claim(self.inputs, "long", self.now - window)


def _role(role: Role) -> RoleTrial:
    policy = role.reflection_policy
    probe = policy.outcome_probe
    hours = getattr(probe, "window_hours", None)
    return RoleTrial(
        role.id,
        role.label,
        tuple(role.failure_modes),
        _in_words(role),
        hours,
        policy.min_age_hours,
        policy.max_age_hours,
        tuple(policy.triggers),
        policy.cron_expr if "cron" in policy.triggers else None,
        tuple(_source_in_words(spec) for spec in policy.post_hoc_probes),
        fill(role.reflection_prompt, _sample_values(hours or policy.min_age_hours)),
    )


def _in_words(role: Role) -> str:
    match role.reflection_policy.outcome_probe:
        case PriceDelta(asset_field=field):
            return f"price of the input {field!r}"
        case PeerRelative(asset_field=field, peers=peers, peers_field=listed):
            beside = ", ".join(peers) if peers else f"the input {listed!r}"
            return f"price of the input {field!r} beside {beside}"
        case Custom(probe_id=name):
            return f"registered probe {name!r}"
    return "a person's mark"


def _source_in_words(spec: PostHocSpec) -> str:
    if isinstance(spec, RefetchSource):
        params = ", ".join(f"{name} from {of!r}" for name, of in spec.params.items())
        return f"tool {spec.tool!r} with {params}" if params else f"tool {spec.tool!r}"
    back = f"{spec.lookback_hours} h before"
    return f"{spec.kind} snapshots of the input {spec.asset_field!r}, from {back}"


def _sample_values(hours: int) -> Mapping[str, str]:
    item = '{"source": "news", "known_at": "2026-01-05T09:00:00Z", "text": "A sample headline."}'
    known = {
        "asset": "BTC",
        "decision": "Buy BTC above 60,000, stop at 57,000",
        "window": f"{hours} hours",
        "pnl": "long lost 4.20 %; moves up to 1.10 % are noise",
        "evidence": f'{{"known": [{item}], "later": []}}',
        "type": "logic_error",
    }
    return {place: known.get(place, f"<{place}>") for place in PROMPT_PLACES}


def _sources(
    registered: Mapping[str, Mapping[str, Any]], roles: list[Role], sample: _Sample
) -> Iterator[SourceTrial]:
    for name in registered.get("PROBES", {}):
        sample.asking(f"probe {name}")
        yield _try_probe(name, roles, sample)
    for name in registered.get("TOOLS", {}):
        sample.asking(f"tool {name}")
        yield _try_post_hoc("tool", name, RefetchSource(name), roles, sample)
    for name in registered.get("SNAPSHOTS", {}):
        kind: Literal["news", "onchain"] = "news" if name == "news" else "onchain"
        sample.asking(f"snapshot {name}")
        yield _try_post_hoc("snapshot", name, Snapshot(kind), roles, sample)


def _try_probe(name: str, roles: list[Role], sample: _Sample) -> SourceTrial:
    declared = [
        (role.id, spec)
        for role in roles
        if isinstance(spec := role.reflection_policy.outcome_probe, Custom)
        and spec.probe_id == name
    ]
    role_id, spec = declared[0] if declared else (None, Custom(name, 24))
    claim = sample.claim(timedelta(hours=spec.window_hours))

    def ask() -> str:
        probes = sample.registry.probes
        outcome = checked_outcome(probes.outcome(spec, claim, _NO_PRICES, sample.now))
        return f"{outcome.verdict}: {outcome.why}"

    return _tried("probe", name, role_id, ask)


def _try_post_hoc(
    kind: Literal["tool", "snapshot"],
    name: str,
    unnamed: PostHocSpec,
    roles: list[Role],
    sample: _Sample,
) -> SourceTrial:
    declared = [
        (role, spec)
        for role in roles
        for spec in role.reflection_policy.post_hoc_probes
        if (spec.tool if isinstance(spec, RefetchSource) else spec.kind) == name
        and isinstance(spec, type(unnamed))
    ]
    role, spec = declared[0] if declared else (None, unnamed)
    claim = sample.claim(_DAY if role is None else role.reflection_policy.window)
    post_hoc = sample.registry.post_hoc

    def ask() -> str:
        # Both moments a judge asks about: what was known then, and what came later.
        known = post_hoc.known(spec, claim, _NO_PRICES, claim.decided_at)
        later = post_hoc.known(spec, claim, _NO_PRICES, sample.now)
        return f"{_listed(known)} when decided, {_listed(later)} when due"

    return _tried(kind, name, None if role is None else role.id, ask)


def _listed(evidence: tuple[Evidence, ...]) -> str:
    if not evidence:
        return "nothing"
    last = evidence[-1]
    counted = f"{len(evidence)} items" if len(evidence) > 1 else "1 item"
    return f"{counted} (last {iso(last.known_at)} {one_line(mask(last.text), 120)!r})"


def _tried(
    kind: Literal["probe", "tool", "snapshot"],
    name: str,
    role_id: str | None,
    ask: Callable[[], str],
) -> SourceTrial:
    try:
        return SourceTrial(kind, name, role_id, True, ask())
    except Exception as error:  # not our code: its failure is what is asked for
        return SourceTrial(kind, name, role_id, False, f"failed ({failure_of(error)})")
