"""Sessions of agents and their turns."""

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field

from afterword.pipeline.domain.clients.sessions import begin_client_session
from afterword.pipeline.domain.sessions.model import ToolCall
from afterword.pipeline.domain.sessions.read import read_sessions, show_session
from afterword.pipeline.doors.http.caller import By
from afterword.pipeline.doors.http.routes.asked import MostShown, RequestForm, Thing
from afterword.pipeline.doors.http.routes.listing import AfterPage, ListPage

TurnName = Annotated[str, Path(description="What beginning the turn returned.", max_length=64)]


class NewSessionForm(RequestForm):
    """What a client calls its session."""

    label: str | None = Field(None, max_length=200)


class NewTurnForm(RequestForm):
    """The message that a turn answers."""

    message: str


class ToolCallForm(RequestForm):
    """One tool that a turn used; secrets in its arguments are masked."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    succeeded: bool = True


class FinishedTurnForm(RequestForm):
    """How a turn went."""

    outcome: Literal["succeeded", "failed"]
    reply: str | None = None
    tool_calls: list[ToolCallForm] = Field(default_factory=list, max_length=1_000)


def begin_session(by: By, form: NewSessionForm = NewSessionForm()) -> Any:  # noqa: B008  # never changed
    """Begin a session; send its handle as `Afterword-Session` from then on.

    Only the token that began a session may use it. Without one, a token has a session a day.
    """
    writer = by.parts.agents.writer(by.group)
    return by.write(writer.store, lambda: _begin(by, writer, form.label))


def _begin(by: By, writer: Any, label: str | None) -> dict[str, str]:
    begun = begin_client_session(writer, by.token.id, label)
    return {"session": begun.session.uid, "handle": begun.handle}


def list_sessions(by: By, limit: MostShown = 20, after: AfterPage = None) -> Any:
    """Return the sessions begun last, newest first."""
    page = ListPage("sessions", limit, after, by.group)
    place = page.place(int)
    sessions = read_sessions(by.store(), limit, after=place and place[0])
    return page.answer(sessions, lambda session: (session.id,))


def get_session(by: By, session: Thing) -> Any:
    """Return a session and its last turns."""
    return show_session(by.store(), session)


def end_session(by: By) -> Any:
    """End the session that the request names; nothing more is written in it."""
    return by.write_as_agent(_ended)


def _ended(agent: Any) -> dict[str, str]:
    agent.end()
    return {"session": agent.session}


def begin_turn(by: By, form: NewTurnForm) -> Any:
    """Begin a turn, the agent's work on a message."""
    return by.write_as_agent(lambda agent: {"turn": agent.begin_turn(form.message)})


def turn_texts(by: By, turn: TurnName) -> Any:
    """Return what the prompt of a turn gets beside its message: tags, and how such tasks were done.

    Both are empty for most turns.
    """
    learnings = by.write_as_agent(lambda agent: {"text": agent.turn_learnings(turn)})
    return {"tags": by.agent().turn_block(turn), "learnings": learnings["text"]}


def finish_turn(by: By, turn: TurnName, form: FinishedTurnForm) -> Any:
    """Finish a turn: it succeeded or failed."""
    calls = [ToolCall(**used.model_dump()) for used in form.tool_calls]
    return by.write_as_agent(lambda agent: _finished(agent, turn, form, calls))


def _finished(
    agent: Any, turn: str, form: FinishedTurnForm, calls: list[ToolCall]
) -> dict[str, str]:
    agent.finish_turn(turn, form.outcome, reply=form.reply, tool_calls=calls)
    return {"turn": turn, "outcome": form.outcome}
