"""The services that a command uses, as the settings name them: budget, switches and model."""

from typing import TYPE_CHECKING

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.store import Stores
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.gateway.budget import Budget, caps_of

if TYPE_CHECKING:  # most commands use neither
    from afterword.pipeline.gateway.llm import Llm
    from afterword.pipeline.gateway.switches import Switches


def budget_of(call: Call, stores: Stores) -> Budget:
    """Return the budget of the installation."""
    return Budget(stores.instance, caps_of(call.settings), call.roots.clock, call.roots.ids)


def switches_of(call: Call, stores: Stores) -> "Switches":
    """Return the switches of all tasks."""
    from afterword.pipeline.gateway.switches import Switches, tasks_of

    return Switches(stores.instance, call.roots.clock, tasks_of(all_areas()))


def llm_of(
    call: Call,
    stores: Stores,
    category: str = "learning",
    *,
    fast: bool = False,
    resumes: bool = False,
) -> "Llm | None":
    """Return the configured model, closed when the command ends; None if there is none.

    The arguments are those of `build_llm`.
    """
    from afterword.pipeline.gateway.llm.build import build_llm

    budget, clock = budget_of(call, stores), call.roots.clock
    llm = build_llm(
        call.settings, stores.instance, budget, clock, category, fast=fast, resumes=resumes
    )
    return None if llm is None else call.closing(llm)
