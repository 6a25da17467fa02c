"""The tools by which an agent says what it learned: a way to do a task, or a note for one."""

from typing import Annotated, Any, Final

from afterword.pipeline.domain.learnings.checks import (
    MAX_LEARNED_STEPS,
    MAX_LEARNING_NOTE,
    read_calls,
    require_turn_learning,
)
from afterword.pipeline.domain.learnings.model import NewLearning
from afterword.pipeline.domain.learnings.triggers import MAX_LEARNING_NAME, MAX_TRIGGER
from afterword.pipeline.doors.agent import learning_write
from afterword.pipeline.doors.agent.arguments import described
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.learning_write import AgentLearning

_TRIGGER: Final = "The kind of task in general words: no asset, amount or address."

Step = Annotated[
    dict[str, Any],
    described(
        "One call.",
        properties={
            "tool_name": {"type": "string", "description": "Its tool."},
            "args": {"type": "object", "description": "Its arguments, as an example."},
        },
        required=["tool_name"],
    ),
]


def skill_learn(
    door: Door,
    trigger: Annotated[str, described(_TRIGGER, maxLength=MAX_TRIGGER)],
    tool_sequence: Annotated[
        list[Step],
        described("The calls that did it, in order.", minItems=1, maxItems=MAX_LEARNED_STEPS),
    ],
    guidance: Annotated[
        str, described("What to mind next time; may be empty.", maxLength=MAX_LEARNING_NOTE)
    ] = "",
    name: Annotated[
        str | None, described("A short name; made of the trigger.", maxLength=MAX_LEARNING_NAME)
    ] = None,
) -> AgentLearning:
    """Keep how you did a task, at the end of a turn that did it; later turns of its kind see it.

    One that says the same as a stored one counts for that.

    Raises:
        InvalidInputError: an argument is wrong or reads like an order, the session has ended, or
            learning is off.
        BudgetExceededError: the session has no more writes.
    """
    require_turn_learning(door.learning_rules.is_enabled)
    new = NewLearning(trigger, read_calls(tool_sequence, "tool_sequence"), guidance, name)
    return learning_write.learn(door.writer, door.limits, new)


def memory_learn(
    door: Door,
    trigger: Annotated[str, described(_TRIGGER, maxLength=MAX_TRIGGER)],
    guidance: Annotated[str, described("The hint, in plain words.", maxLength=MAX_LEARNING_NOTE)],
) -> AgentLearning:
    """Keep a hint about a kind of task, such as a tool that fits it or a limit of a service.

    Later turns of its kind see it. It is no fact about the user: that is `memory_store`.

    Raises:
        InvalidInputError: an argument is wrong or reads like an order, the session has ended, or
            learning is off.
        BudgetExceededError: the session has no more writes.
    """
    require_turn_learning(door.learning_rules.is_enabled)
    return learning_write.learn(door.writer, door.limits, NewLearning(trigger, (), guidance))
