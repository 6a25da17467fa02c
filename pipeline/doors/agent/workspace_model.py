"""What an agent's prompt has of its workspace, under the names of R3."""

from dataclasses import dataclass
from typing import Final

from afterword.pipeline.domain.memory.flags import shown
from afterword.pipeline.domain.workspace.identity import AgentIdentity
from afterword.pipeline.domain.workspace.model import KeptWorkspace


@dataclass(frozen=True, slots=True)
class AgentWorkspace:
    """The texts of the workspace for a system prompt.

    Args:
        system_prompt_prefix: SOUL.md and AGENTS.md, to be cached; BOOTSTRAP.md follows for the one
            turn that sees it.
        memory_snapshot: USER.md, MEMORY.md and the notes of three days, to follow the prefix.
        is_first_run: whether the prefix ends with BOOTSTRAP.md now.
        identity: how the agent presents itself to people; in no prompt.
        notes: what is cut, withheld, masked or not read, each as a sentence.
    """

    system_prompt_prefix: str
    memory_snapshot: str
    is_first_run: bool
    identity: AgentIdentity
    notes: tuple[str, ...]


NO_WORKSPACE: Final = AgentWorkspace("", "", False, AgentIdentity(), ())


def agent_workspace(kept: KeptWorkspace) -> AgentWorkspace:
    """Return what a session keeps as its agent sees it."""
    identity = kept.identity
    return AgentWorkspace(
        "\n\n".join(part for part in (kept.prefix, kept.bootstrap) if part),
        kept.block,
        bool(kept.bootstrap),
        AgentIdentity(shown(identity.name), shown(identity.vibe), shown(identity.emoji)),
        kept.notes,
    )
