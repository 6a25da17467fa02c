"""Sessions are opened by a handle we issued; turns in them say who is busy."""

from datetime import timedelta

import pytest

from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions import rows
from afterword.pipeline.domain.sessions.model import NewSession, Session, ToolCall, Turn
from afterword.pipeline.domain.sessions.sessions import (
    begin_session,
    end_session,
    find_session,
    in_session,
)
from afterword.pipeline.domain.sessions.turns import begin_turn, finish_turn
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.testing.clock import ManualClock


@pytest.fixture
def begun(writer: Writer) -> NewSession:
    return begin_session(writer, "chat 7")


@pytest.fixture
def chatting(writer: Writer, begun: NewSession) -> Writer:
    """The agent, writing in that session."""
    return in_session(writer, begun.handle)


def session_of(store: Store, name: str) -> Session:
    with reading(store) as conn:
        return find_session(conn, name, "owner")


def turns_of(store: Store, session: Session) -> list[Turn]:
    with reading(store) as conn:
        return rows.turns_of(conn, session, 10)


def audit(store: Store) -> list[tuple[object, ...]]:
    with reading(store) as conn:
        query = "SELECT tool_call, session_id FROM audit_log ORDER BY id"
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def test_a_session_has_a_name_to_show_and_a_handle_to_write_with(store, begun):
    assert begun.handle not in repr(begun)
    assert begun.session.uid not in begun.handle
    with reading(store) as conn:
        assert find_session(conn, begun.handle) == begun.session
        assert find_session(conn, begun.session.uid, "owner") == begun.session
        with pytest.raises(NotFoundError):
            find_session(conn, begun.session.uid)


def test_two_sessions_have_nothing_in_common(store, begun, writer):
    other = begin_session(writer)

    assert len({begun.handle, begun.session.uid, other.handle, other.session.uid}) == 4
    with reading(store) as conn:
        assert rows.recent_sessions(conn, 10) == [other.session, begun.session]


def test_a_session_ends_once(store, clock, begun, chatting):
    clock.advance(minutes=1)
    end_session(chatting)
    ended_at = clock()
    clock.advance(minutes=1)
    end_session(chatting)

    assert session_of(store, begun.handle).ended_at == ended_at
    uid = begun.session.uid
    assert audit(store) == [("session.begin", uid), ("session.end", uid)]


@pytest.mark.parametrize("name", ["", "sess-", "sess-" + 32 * "0", "\0", "\ud800", 7, None])
def test_a_handle_nobody_issued_opens_nothing_and_is_not_repeated(store, name, writer):
    for verb in (
        lambda: end_session(in_session(writer, name)),
        lambda: begin_turn(in_session(writer, name), "hello"),
        lambda: finish_turn(in_session(writer, name), "turn", "failed"),
    ):
        with pytest.raises(NotFoundError) as refused:
            verb()
        assert str(refused.value).startswith("this session is not known here")
    assert audit(store) == []


def test_a_handle_of_another_group_is_as_unknown_as_one_nobody_issued(
    stores: Stores, store, clock, ids, begun
):
    other = stores.group("other", create=True)
    with pytest.raises(NotFoundError) as foreign:
        begin_turn(in_session(Writer(other, clock, ids), begun.handle), "hello")
    with pytest.raises(NotFoundError) as forged:
        begin_turn(in_session(Writer(other, clock, ids), "sess-forged"), "hello")

    assert str(foreign.value) == str(forged.value)


@pytest.mark.parametrize("label", ["", " ", "x" * 201, "\0", 7])
def test_a_bad_label_is_refused_before_anything_is_written(store, label, writer):
    with pytest.raises(InvalidInputError, match="label"):
        begin_session(writer, label)
    assert audit(store) == []


def test_a_turn_is_kept_with_how_it_went(store, clock, begun, chatting):
    begin = begin_turn(chatting, "is ETH a long?")
    clock.advance(seconds=5)
    calls = [
        ToolCall("quote", {"symbol": "ETH", "of": [1, {"a": None}]}),
        ToolCall("news", {}, False),
    ]
    done = finish_turn(chatting, begin.uid, "succeeded", reply="not yet", tool_calls=calls)

    assert (begin.state(clock()), done.state(clock())) == ("busy", "succeeded")
    assert (done.message, done.reply, done.tool_calls) == (
        "is ETH a long?",
        "not yet",
        tuple(calls),
    )
    assert done.finished_at == clock()
    assert turns_of(store, begun.session) == [done]
    assert audit(store)[1:] == [
        ("turn.begin", begun.session.uid),
        ("turn.finish", begun.session.uid),
    ]


def test_finishing_again_changes_nothing_and_finishing_otherwise_is_refused(
    store, clock, begun, chatting
):
    turn = begin_turn(chatting, "hello")
    done = finish_turn(chatting, turn.uid, "failed", reply="no")
    clock.advance(seconds=1)

    assert finish_turn(chatting, turn.uid, "failed", reply="no") == done
    with pytest.raises(ConflictError, match="finished already, as failed"):
        finish_turn(chatting, turn.uid, "succeeded", reply="no")
    assert turns_of(store, begun.session) == [done]


def test_an_agent_is_busy_until_its_turn_is_finished(store, clock, begun, chatting):
    turn = begin_turn(chatting, "hello")
    assert states(store, begun, clock) == ["busy"]

    finish_turn(chatting, turn.uid, "succeeded")
    assert states(store, begun, clock) == ["succeeded"]


def test_a_turn_nobody_finishes_is_abandoned_by_itself_and_taken_late(
    store, clock, begun, chatting
):
    turn = begin_turn(chatting, "hello", busy_for=timedelta(minutes=1))
    clock.advance(seconds=59)
    assert states(store, begun, clock) == ["busy"]
    clock.advance(seconds=1)
    assert states(store, begun, clock) == ["abandoned"]

    late = finish_turn(chatting, turn.uid, "succeeded")
    assert late.state(clock()) == "succeeded"


def test_the_end_of_a_session_ends_its_turns(store, clock, begun, chatting):
    turn = begin_turn(chatting, "hello")
    end_session(chatting)

    assert states(store, begun, clock) == ["abandoned"]
    for verb in (
        lambda: begin_turn(chatting, "more"),
        lambda: finish_turn(chatting, turn.uid, "succeeded"),
    ):
        with pytest.raises(InvalidInputError, match="session: has ended"):
            verb()


def test_a_clock_that_was_set_back_stops_no_ending(store, clock, begun, chatting):
    turn = begin_turn(chatting, "hello")
    other = begin_turn(chatting, "and this")
    clock.advance(hours=-1)

    done = finish_turn(chatting, turn.uid, "succeeded")
    assert done.finished_at == done.started_at
    end_session(chatting)
    assert session_of(store, begun.handle).ended_at == begun.session.started_at
    assert turns_of(store, begun.session)[1].busy_until == other.started_at


def test_a_turn_belongs_to_its_session(writer, chatting):
    turn = begin_turn(chatting, "hello")
    other = begin_session(writer)

    for name in (turn.uid, "no such turn", "\0", 3):
        with pytest.raises(NotFoundError, match="no such turn"):
            finish_turn(in_session(writer, other.handle), name, "succeeded")


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("message", {"message": " "}),
        ("message", {"message": "x" * 100_001}),
        ("busy_for", {"busy_for": timedelta(0)}),
        ("busy_for", {"busy_for": timedelta(days=2)}),
        ("outcome", {"outcome": "abandoned"}),
        ("reply", {"reply": 7}),
        ("tool_calls", {"tool_calls": [ToolCall("quote")] * 501}),
        ("tool_calls[0].name", {"tool_calls": [ToolCall("")]}),
        ("tool_calls[0].arguments", {"tool_calls": [ToolCall("quote", {"at": float("nan")})]}),
        ("tool_calls[0].succeeded", {"tool_calls": [ToolCall("quote", {}, 1)]}),
    ],
)
def test_a_bad_argument_is_refused_by_name(store, clock, begun, field, wrong, chatting):
    turn = begin_turn(chatting, "hello")
    with pytest.raises(InvalidInputError) as refused:
        if wrong.keys() & {"message", "busy_for"}:
            begin_turn(chatting, wrong.pop("message", "x"), **wrong)
        else:
            outcome = wrong.pop("outcome", "succeeded")
            finish_turn(chatting, turn.uid, outcome, **wrong)

    assert refused.value.field == field
    assert states(store, begun, clock) == ["busy"]


def states(store: Store, begun: NewSession, clock: ManualClock) -> list[str]:
    return [one.state(clock()) for one in turns_of(store, begun.session)]
