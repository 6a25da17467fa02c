"""The class `Agent`: one method for each tool; the tools themselves are in the modules by story."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import wraps
from inspect import Parameter, Signature, signature
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, cast, get_type_hints

from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.doors.agent.arguments import check, masking_refusals
from afterword.pipeline.doors.agent.door import Door, open_door
from afterword.pipeline.doors.agent.later import LaterMethod, LaterModule

if TYPE_CHECKING:
    from afterword.pipeline.doors.agent import capital as capital_tools
    from afterword.pipeline.doors.agent import conversation, look_up, profile, remember, why
    from afterword.pipeline.doors.agent import institution as institution_tools
    from afterword.pipeline.doors.agent import learnings as learning_tools
    from afterword.pipeline.doors.agent import methods as method_tools
    from afterword.pipeline.doors.agent import roles as role_tools
    from afterword.pipeline.doors.agent import strategies as strategy_tools
    from afterword.pipeline.doors.agent import trades as trade_tools
else:  # most agents use a few of their tools; all of them take a quarter of an agent's start
    conversation, look_up, profile, remember, why = (
        LaterModule(name) for name in ("conversation", "look_up", "profile", "remember", "why")
    )
    method_tools, role_tools, trade_tools = (
        LaterModule(name) for name in ("methods", "roles", "trades")
    )
    capital_tools, learning_tools, strategy_tools = (
        LaterModule(name) for name in ("capital", "learnings", "strategies")
    )
    institution_tools = LaterModule("institution")

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def _tool(
    function: Callable[Concatenate[Door, _Given], _Answer],
) -> Callable[Concatenate["Agent", _Given], _Answer]:
    """Return a tool as a method of an agent, made when it is first used.

    Args:
        function: its first argument is the agent's door. Only a checker of types sees the function
            itself here; a process has what loads it.
    """
    load: Any = function
    return cast("Callable[..., Any]", LaterMethod(lambda: _method(load())))


def _method(
    function: Callable[Concatenate[Door, _Given], _Answer],
) -> Callable[Concatenate["Agent", _Given], _Answer]:
    """Return the method of a tool.

    It refuses an argument of a wrong type, by name, before the tool does anything.
    """
    parameters, hints = signature(function), get_type_hints(function)

    @wraps(function)
    def run(agent: "Agent", /, *args: _Given.args, **named: _Given.kwargs) -> _Answer:
        """Check the arguments, then call the tool's function with the door of the agent."""
        _, *given = parameters.bind(agent._door, *args, **named).arguments.items()
        with masking_refusals(args, named):
            if given:
                check(function, dict(given))
            with agent._door.calling():
                return function(agent._door, *args, **named)

    # What `help` and other readers see: the plain types, without what is written for a model.
    door, *taken = parameters.parameters.values()
    plain = [parameter.replace(annotation=hints[parameter.name]) for parameter in taken]
    run.__signature__ = Signature(  # type: ignore[attr-defined]
        [door.replace(name="self", annotation=Parameter.empty), *plain],
        return_annotation=parameters.return_annotation,
    )
    run.__annotations__ = {name: hint for name, hint in hints.items() if name != door.name}
    return run


class Agent:
    """The memory of one agent, in one session of one group.

    Three lines are enough::

        from afterword import Agent
        with Agent.open("main") as agent:
            agent.memory_store("preference", "Prefers weekly charts")

    A method returns frozen values; `dataclasses.asdict` turns them into dictionaries. Every
    method that writes uses one transaction and counts against the session's limits. Threads may
    share an agent. It also has the attributes `group` and `roles`.

    An agent that is open for days gets a new session with each day (UTC), at its first call of
    that day, with limits, a snapshot and a brief of its own; a turn that is under way is finished
    first.

    Args:
        door: the session and the parts that the tools use; `open` makes it from settings.
    """

    group: str
    roles: RoleRegistry

    def __init__(self, door: Door) -> None:
        self.group, self.roles = door.store.name, door.roles
        self._door = door
        self._opened = ExitStack()

    @property
    def session(self) -> str:
        """The public name of its session."""
        assert self._door.writer.session is not None  # a door is always in a session
        return self._door.writer.session

    @property
    def handle(self) -> str:
        """The secret key of its session, with which another process can go on in it."""
        return self._door.handle

    @classmethod
    def open(
        cls,
        group: str | None = None,
        *,
        session: str | None = None,
        label: str | None = None,
        **settings: Any,
    ) -> Self:
        """Open an agent's memory with the settings of this process.

        `close`, or the end of the `with` block, closes the files, and ends the session if this
        call began it.

        Args:
            group: the group of the memory; the setting `group` if None. A new session creates the
                group if it does not exist.
            session: the handle of a session to continue, which no other one follows; None begins
                a new session.
            label: a name for the new session, for people.
            settings: such as `home=`, or `workspace=` for the folder of OpenClaw or Hermes; they
                override the environment. `config=` is that of a host, in its own names (R4).

        Raises:
            InvalidInputError: a setting, the group's name or a skill in the home is wrong.
            NotFoundError: the handle was not issued in this group, or there is no such group.
        """
        with ExitStack() as opened:
            agent = cls(open_door(opened, group, session, label, settings))
            agent._opened = opened.pop_all()
        return agent

    def close(self) -> None:
        """Close what `open` opened, and end a session that it began; a second call does nothing."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    memory_write = _tool(remember.memory_write)
    memory_store = _tool(remember.memory_store)
    memory_delete = _tool(remember.memory_delete)

    memory_read = _tool(look_up.memory_read)
    memory_search = _tool(look_up.memory_search)
    search_conversation_memory = _tool(look_up.search_conversation_memory)
    memory_brief = _tool(look_up.memory_brief)
    memory_compiled_page = _tool(look_up.memory_compiled_page)
    memory_why = _tool(why.memory_why)

    role_record = _tool(role_tools.role_record)
    role_recall = _tool(role_tools.role_recall)
    role_prompt = _tool(role_tools.role_prompt)

    methodology_add = _tool(method_tools.methodology_add)
    methodology_suggest = _tool(method_tools.methodology_suggest)
    methodology_show = _tool(method_tools.methodology_show)

    institution_capture = _tool(institution_tools.institution_capture)
    institution_retrospect = _tool(institution_tools.institution_retrospect)
    institution_show = _tool(institution_tools.institution_show)
    skill_learn = _tool(learning_tools.skill_learn)
    memory_learn = _tool(learning_tools.memory_learn)

    trade_record = _tool(trade_tools.trade_record)
    trade_outcome = _tool(trade_tools.trade_outcome)
    search_user_trades = _tool(trade_tools.search_user_trades)
    trading_profile = _tool(trade_tools.trading_profile)

    capital = _tool(capital_tools.capital)
    strategies = _tool(strategy_tools.strategies)
    strategy_start = _tool(strategy_tools.strategy_start)
    strategy_stop = _tool(strategy_tools.strategy_stop)

    profile_read = _tool(profile.profile_read)
    profile_set = _tool(profile.profile_set)
    personalization_snapshot = _tool(profile.personalization_snapshot)
    complete_onboarding = _tool(profile.complete_onboarding)
    onboarding_status = _tool(profile.onboarding_status)

    snapshot = _tool(conversation.snapshot)
    personalization = _tool(conversation.personalization)
    start_brief = _tool(conversation.start_brief)
    workspace = _tool(conversation.workspace)
    begin_turn = _tool(conversation.begin_turn)
    turn_block = _tool(conversation.turn_block)
    turn_learnings = _tool(conversation.turn_learnings)
    finish_turn = _tool(conversation.finish_turn)
    end = _tool(conversation.end)


def run_tool(
    agent: Agent, function: Callable[Concatenate[Door, ...], _Answer], arguments: Mapping[str, Any]
) -> _Answer:
    """Run the function of a tool for an agent, with checked arguments."""
    with agent._door.calling():
        return function(agent._door, **arguments)
