"""The memory of trading agents, and the workers that think it over afterwards.

`from afterword import Agent` is all an agent needs; a skill's file imports its types from here
too. Each name is loaded when it is first used, so `import afterword` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from afterword.pipeline.domain.outcomes.evidence import RefetchSource, Snapshot
    from afterword.pipeline.domain.outcomes.probes import (
        Claim,
        Custom,
        Manual,
        PeerRelative,
        PriceDelta,
    )
    from afterword.pipeline.domain.outcomes.tools import Evidence
    from afterword.pipeline.domain.prices.feed import PriceSource
    from afterword.pipeline.domain.sessions.model import ToolCall
    from afterword.pipeline.domain.skills.model import ReflectionPolicy, Role, Skill
    from afterword.pipeline.doors.agent import INSTRUCTIONS, Agent, call, instructions, manifest
    from afterword.pipeline.errors import (
        BudgetExceededError,
        CircuitOpenError,
        ConflictError,
        CorruptStoreError,
        InvalidInputError,
        NotFoundError,
        PipelineError,
        PostponedError,
        UnavailableError,
    )
    from afterword.pipeline.rules.market.outcome import Outcome
    from afterword.pipeline.rules.market.volatility import Costs

__all__ = [
    "INSTRUCTIONS",
    "Agent",
    "BudgetExceededError",
    "CircuitOpenError",
    "Claim",
    "ConflictError",
    "CorruptStoreError",
    "Costs",
    "Custom",
    "Evidence",
    "InvalidInputError",
    "Manual",
    "NotFoundError",
    "Outcome",
    "PeerRelative",
    "PipelineError",
    "PostponedError",
    "PriceDelta",
    "PriceSource",
    "RefetchSource",
    "ReflectionPolicy",
    "Role",
    "Skill",
    "Snapshot",
    "ToolCall",
    "UnavailableError",
    "call",
    "instructions",
    "manifest",
]

_DOOR: Final = "afterword.pipeline.doors.agent"
_SKILLS: Final = "afterword.pipeline.domain.skills.model"
_PROBES: Final = "afterword.pipeline.domain.outcomes.probes"
_ELSEWHERE: Final = {
    **dict.fromkeys(("INSTRUCTIONS", "Agent", "call", "instructions", "manifest"), _DOOR),
    **dict.fromkeys(("ReflectionPolicy", "Role", "Skill"), _SKILLS),
    **dict.fromkeys(("Claim", "Custom", "Manual", "PeerRelative", "PriceDelta"), _PROBES),
    **dict.fromkeys(("RefetchSource", "Snapshot"), "afterword.pipeline.domain.outcomes.evidence"),
    "Costs": "afterword.pipeline.rules.market.volatility",
    "Evidence": "afterword.pipeline.domain.outcomes.tools",
    "Outcome": "afterword.pipeline.rules.market.outcome",
    "PriceSource": "afterword.pipeline.domain.prices.feed",
    "ToolCall": "afterword.pipeline.domain.sessions.model",
}
"""Where each name comes from; the errors are in `afterword.pipeline.errors`."""


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_ELSEWHERE.get(name, "afterword.pipeline.errors")), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
