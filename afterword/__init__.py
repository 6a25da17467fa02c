"""The memory of trading agents, and the workers that process this memory afterwards.

An agent needs only `from afterword import Agent`. The file of a skill imports its types from here
too. Each name is loaded when it is first used, so `import afterword` itself loads almost nothing.
"""

from typing import TYPE_CHECKING

from afterword.pipeline.exports import on_first_use

if TYPE_CHECKING:
    from afterword.pipeline.domain.institution.forms import forced_choice, output_tool
    from afterword.pipeline.domain.outcomes.evidence import (
        FileSnapshots,
        RefetchSource,
        Snapshot,
        Snapshots,
    )
    from afterword.pipeline.domain.outcomes.probes import (
        Claim,
        Custom,
        Manual,
        OutcomeProbe,
        PeerRelative,
        PriceDelta,
    )
    from afterword.pipeline.domain.outcomes.tools import Evidence, Tool
    from afterword.pipeline.domain.prices.feed import PriceSource
    from afterword.pipeline.domain.sessions.model import ToolCall
    from afterword.pipeline.domain.skills.model import ReflectionPolicy, Role, Skill
    from afterword.pipeline.doors.agent import (
        INSTRUCTIONS,
        Agent,
        AsyncAgent,
        call,
        get_brief,
        host_manifest,
        instructions,
        manifest,
        tools,
    )
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
    from afterword.pipeline.rules.market.outcome import Outcome, marked, unknown
    from afterword.pipeline.rules.market.volatility import Costs
else:
    __getattr__ = on_first_use(
        __name__,
        **{
            "pipeline.doors.agent": (
                "INSTRUCTIONS",
                "Agent",
                "AsyncAgent",
                "call",
                "get_brief",
                "host_manifest",
                "instructions",
                "manifest",
                "tools",
            ),
            "pipeline.domain.institution.forms": ("forced_choice", "output_tool"),
            "pipeline.domain.skills.model": ("ReflectionPolicy", "Role", "Skill"),
            "pipeline.domain.outcomes.probes": (
                "Claim",
                "Custom",
                "Manual",
                "OutcomeProbe",
                "PeerRelative",
                "PriceDelta",
            ),
            "pipeline.domain.outcomes.evidence": (
                "FileSnapshots",
                "RefetchSource",
                "Snapshot",
                "Snapshots",
            ),
            "pipeline.domain.outcomes.tools": ("Evidence", "Tool"),
            "pipeline.domain.prices.feed": ("PriceSource",),
            "pipeline.domain.sessions.model": ("ToolCall",),
            "pipeline.rules.market.outcome": ("Outcome", "marked", "unknown"),
            "pipeline.rules.market.volatility": ("Costs",),
            "pipeline.errors": (
                "BudgetExceededError",
                "CircuitOpenError",
                "ConflictError",
                "CorruptStoreError",
                "InvalidInputError",
                "NotFoundError",
                "PipelineError",
                "PostponedError",
                "UnavailableError",
            ),
        },
    )

__all__ = [
    "INSTRUCTIONS",
    "Agent",
    "AsyncAgent",
    "BudgetExceededError",
    "CircuitOpenError",
    "Claim",
    "ConflictError",
    "CorruptStoreError",
    "Costs",
    "Custom",
    "Evidence",
    "FileSnapshots",
    "InvalidInputError",
    "Manual",
    "NotFoundError",
    "Outcome",
    "OutcomeProbe",
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
    "Snapshots",
    "Tool",
    "ToolCall",
    "UnavailableError",
    "call",
    "forced_choice",
    "get_brief",
    "host_manifest",
    "instructions",
    "manifest",
    "marked",
    "output_tool",
    "tools",
    "unknown",
]
