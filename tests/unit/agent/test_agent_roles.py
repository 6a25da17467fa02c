"""An agent records and recalls decisions of its roles, and says nothing of how they turn out."""

import json
from dataclasses import asdict, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions, show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import begin_session, find_session
from afterword.pipeline.domain.skills import Manual, RoleRegistry
from afterword.pipeline.doors.agent import TOOLS, Agent, call, instructions, schema
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError, NotFoundError
from afterword.pipeline.recall.lessons.fragment import skill_fragment
from afterword.pipeline.testing.roles import learned, role_of, skill_of

ROLE = "desk.calls"
REGISTRY = RoleRegistry([skill_of(role_of(), role_of("desk.reads", Manual()))])
SAID = {"role": ROLE, "decision": "Buy", "asset": "SOL", "direction": "long"}
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.fixture
def begin(writer):
    """Begin a session of an agent that decides for the desk."""

    def one(by: Writer = writer, **parts: Any) -> Agent:
        return Agent(Door(by, begin_session(by).handle, **{"roles": REGISTRY} | parts))

    return one


@pytest.fixture
def agent(begin) -> Agent:
    return begin()


def counted(store, *tables: str) -> list[int]:
    with reading(store) as conn:
        return [
            conn.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() for table in tables
        ]


def recorded(store, agent: Agent) -> int:
    with reading(store) as conn:
        return find_session(conn, agent.handle).decisions


def test_an_agent_may_state_its_plan_and_cite_its_methods(store, agent):
    plan = {"stop_price": 148.5, "target_price": 171, "size_usd": 2_000, "leverage": 3}
    cites = {"methods": ["breakout.v2"], "hint_hash": "0f" * 32}
    done = call(agent, "role_record", SAID | plan | cites)
    one = show_decision(store, done["id"]).decision

    assert {name: getattr(one, name) for name in plan} == plan | {"stop_price": Decimal("148.5")}
    assert (one.methods, one.hint_hash) == (("breakout.v2",), "0f" * 32)
    with pytest.raises(InvalidInputError, match="stop_price"):
        agent.role_record(**SAID, stop_price=-1)


def test_a_decision_is_of_its_session_and_of_now_whatever_it_claims(store, clock, agent):
    claims = {"origin": "owner", "session_id": "x", "decided_at": "2020", "outcome": "right"}
    done = agent.role_record(ROLE, "Buy", "SOL", "long", 1, claims, claims | {"mark": "right"})
    shown = show_decision(store, done.id)

    decision = shown.decision
    assert (decision.session_id, decision.origin) == (agent.session, "agent")
    assert (decision.decided_at, decision.known_at) == (clock(), clock())
    assert (decision.state, decision.mark, decision.verdict) == ("pending", None, None)
    assert (dict(decision.inputs), dict(shown.context)) == (claims, claims | {"mark": "right"})
    assert asdict(done) == {
        "id": decision.uid,
        "role": ROLE,
        "asset": "SOL",
        "direction": "long",
        "decided_at": "2026-01-05T00:00:00.000000Z",
        "is_new": True,
        "provenance": {
            "session_id": agent.session,
            "group": "main",
            "origin": "agent",
            "timestamp": "2026-01-05T00:00:00.000000Z",
        },
        "note": None,
    }
    with reading(store) as conn:
        line = "SELECT actor, session_id FROM audit_log WHERE tool_call = 'role.record'"
        assert list(conn.exec_driver_sql(line)) == [("agent", agent.session)]


def test_decisions_have_a_limit_of_their_own_and_one_recorded_before_counts_once(store, begin):
    agent = begin(limits=Limits(stores=0, decisions=1))
    first = agent.role_record(**SAID, key="a")
    before = counted(store, "role_memory", "decision_contexts", "audit_log", "jobs")
    for key in ("b", None):
        with pytest.raises(BudgetExceededError, match="1 of its 1 decisions"):
            agent.role_record(**SAID, key=key, context={"seen": key or "x"})

    again = agent.role_record(**SAID, key="a")
    assert (again.id, again.is_new) == (first.id, False)
    assert counted(store, "role_memory", "decision_contexts", "audit_log", "jobs") == before
    assert recorded(store, agent) == 1


def test_sent_again_in_another_session_it_is_still_the_first(clock, begin):
    first, late = begin(), begin()
    done = first.role_record(**SAID, key="a")
    clock.advance(hours=1)
    again = late.role_record(**SAID, key="a")

    assert (again.id, again.decided_at) == (done.id, done.decided_at)
    assert again.provenance == done.provenance


def test_a_session_that_ended_records_nothing_and_still_recalls(store, agent):
    agent.role_record(**SAID, key="a")
    agent.end()
    for key in ("a", "b"):
        with pytest.raises(InvalidInputError, match="session: has ended"):
            agent.role_record(**SAID, key=key)
    assert agent.role_recall(ROLE) == []
    assert len(list_decisions(store)) == 1


def test_with_an_embedder_a_decision_asks_for_a_vector(store, begin, writer):
    begin(replace(writer, embeds=True)).role_record(**SAID)
    begin().role_record(**SAID)

    assert counted(store, "jobs WHERE kind = 'embed_role_entries'") == [1]


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("role_mark", {}, "tool"),
        ("role_record", SAID | {"outcome": "right"}, "'outcome'"),
        ("role_record", SAID | {"mark": "right"}, "'mark'"),
        ("role_record", SAID | {"origin": "owner"}, "'origin'"),
        ("role_record", SAID | {"session_id": "s"}, "'session_id'"),
        ("role_record", SAID | {"scenario_id": "bull"}, "'scenario_id'"),
        ("role_record", SAID | {"decided_at": "2020-01-01T00:00:00Z"}, "'decided_at'"),
        ("role_record", SAID | {"supersedes": "x"}, "'supersedes'"),
        ("role_record", {"role": ROLE}, "decision"),
        ("role_record", SAID | {"role": 1}, "role"),
        ("role_record", SAID | {"decision": ["Buy"]}, "decision"),
        ("role_record", SAID | {"decision": " "}, "decision"),
        ("role_record", SAID | {"direction": "up"}, "direction"),
        ("role_record", SAID | {"direction": None}, "direction"),
        ("role_record", SAID | {"asset": None}, "asset"),
        ("role_record", SAID | {"confidence": "half"}, "confidence"),
        ("role_record", SAID | {"confidence": True}, "confidence"),
        ("role_record", SAID | {"confidence": float("nan")}, "confidence"),
        ("role_record", SAID | {"inputs": [1]}, "inputs"),
        ("role_record", SAID | {"context": "all"}, "context"),
        ("role_record", SAID | {"context": {"at": float("inf")}}, "context"),
        ("role_record", SAID | {"context": {"all": "x" * 400_001}}, "context"),
        ("role_record", SAID | {"key": 7}, "key"),
        ("role_record", SAID | {"key": ""}, "key"),
        ("role_recall", {"role": None}, "role"),
        ("role_recall", {"role": ROLE, "limit": 0}, "limit"),
        ("role_recall", {"role": ROLE, "limit": 101, "question": "Buy?"}, "limit"),
        ("role_recall", {"role": ROLE, "limit": "5.5"}, "limit"),
        ("role_recall", {"role": ROLE, "question": 5}, "question"),
        ("role_recall", {"role": ROLE, "as_of": "2026-01-01"}, "'as_of'"),
        ("role_prompt", {}, "skill"),
        ("role_prompt", {"skill": "desk", "question": 5}, "question"),
        ("role_prompt", {"skill": "desk", "limit": 0}, "limit"),
        ("role_prompt", {"skill": "desk", "as_of": None}, "'as_of'"),
    ],
)
def test_what_a_model_sends_wrong_is_refused_by_name(store, agent, tool, arguments, field):
    with pytest.raises(InvalidInputError) as refused:
        call(agent, tool, arguments)

    assert refused.value.field.partition(".")[0] == field
    assert counted(store, "role_memory", "jobs") == [0, 0]
    assert recorded(store, agent) == 0


@pytest.mark.parametrize(
    "verb",
    [
        lambda agent: agent.role_record("desk.gone", "Buy", "SOL", "long"),
        lambda agent: agent.role_recall("desk.gone"),
        lambda agent: agent.role_recall("desk.gone", "Buy?"),
        lambda agent: agent.role_prompt("gone"),
        lambda agent: agent.role_prompt("gone", "Buy?"),
    ],
)
def test_a_role_or_skill_nobody_declares_is_refused_and_those_that_are_get_named(agent, verb):
    with pytest.raises(NotFoundError, match="gone'; there are desk"):
        verb(agent)


def test_without_roles_an_agent_has_none(begin):
    agent = begin(roles=None)
    with pytest.raises(NotFoundError, match="there are none"):
        agent.role_record(**SAID)
    assert "Your roles" not in instructions(roles=agent.roles)


def test_a_key_that_names_another_decision_is_refused(agent):
    agent.role_record(**SAID, key="a")
    with pytest.raises(InvalidInputError, match="names another decision"):
        agent.role_record(**SAID | {"decision": "Sell", "direction": "short"}, key="a")


def test_no_tool_marks_an_outcome(agent):
    assert not [tool for tool in TOOLS if "mark" in tool or "reflect" in tool]
    assert not [name for name in dir(agent) if "mark" in name or "reflect" in name]
    words = json.dumps([schema(tool)["properties"] for tool in TOOLS])
    assert '"outcome"' not in words


def test_lessons_come_back_by_recency_and_by_the_decision_at_hand(store, clock, ids, agent):
    for decision, lesson in (("Bought the breakout", "Wait"), ("Faded the spike", "Size down")):
        new = NewDecision(ROLE, decision, asset="SOL", direction="long")
        row_id = record_decision(store, REGISTRY, new, clock, ids).id
        clock.advance(hours=1)
        learned(store, row_id, lesson, clock())
        at = clock()

    assert agent.role_recall(ROLE) == []  # one case proves nothing
    everything = agent.role_recall(ROLE, single_cases=True)
    assert [one.lesson for one in everything] == ["Size down", "Wait"]
    arguments = {"role": ROLE, "question": "A breakout", "limit": 1, "single_cases": True}
    asked = call(agent, "role_recall", arguments)
    assert json.loads(json.dumps(asked)) == [
        {
            "kind": "case",
            "decision": show_decision(store, 1).decision.uid,
            "role": ROLE,
            "label": "one case",
            "lesson": "Wait",
            "about": "SOL",
            "direction": "long",
            "trend": None,
            "known_at": "2026-01-05T01:00:00.000000Z",
            "why": ["same direction", "fits in words"],
        }
    ]
    clock.advance(hours=1)
    learned(store, agent_decision(agent, store), "Later", clock())
    then = agent.role_recall(ROLE, "x", single_cases=True, as_of=at)
    assert [one.lesson for one in then] == ["Size down", "Wait"]


def test_the_prompt_of_a_skill_shows_single_cases_only_where_the_setting_says_so(
    store, clock, ids, begin
):
    new = NewDecision(ROLE, "Bought the breakout", asset="SOL", direction="long")
    row_id = record_decision(store, REGISTRY, new, clock, ids).id
    learned(store, row_id, "Wait", clock())

    assert begin().role_prompt("desk", "A breakout") == begin().role_prompt("desk") == ""
    agent = begin(lesson_choice="all")
    assert agent.role_prompt("desk", "A breakout", limit=1).endswith("[one case] SOL: Wait")
    fragment = skill_fragment(store, REGISTRY, "desk", choice="all")
    assert call(agent, "role_prompt", {"skill": "desk"}) == fragment != ""
    before = clock() - timedelta(microseconds=1)
    assert agent.role_prompt("desk", as_of=before) == ""


def agent_decision(agent: Agent, store) -> int:
    return show_decision(store, agent.role_record(**SAID).id).decision.id


def test_secrets_are_masked_on_their_way_in_and_out(store, clock, agent, begin):
    done = agent.role_record(
        ROLE, f"Buy with {SECRET}", "SOL", "long", inputs={"a": SECRET}, context={SECRET: SECRET}
    )
    kept = b"".join(path.read_bytes() for path in store.path.parent.iterdir())
    assert SECRET.encode() not in kept

    learned(store, show_decision(store, done.id).decision.id, "Wait", clock())
    with writing(store) as conn:  # a file of before the rule that masks it
        conn.exec_driver_sql("DROP TRIGGER role_memory_reflected_bu")
        conn.exec_driver_sql("UPDATE role_memory SET lesson = ?", (f"Wait {SECRET}",))
    (lesson,) = agent.role_recall(ROLE, single_cases=True)
    assert SECRET not in lesson.lesson
    assert SECRET not in begin(lesson_choice="all").role_prompt("desk")


def test_opened_by_settings_it_decides_in_the_roles_of_its_home(home):
    folder = home / "skills"
    folder.mkdir(parents=True)
    (folder / "own.py").write_text(
        "from afterword.pipeline.domain.skills import Manual, ReflectionPolicy, Role, Skill\n"
        "POLICY = ReflectionPolicy(Manual(), 1, 48)\n"
        "OWN = Skill('own', (Role('own', 'Own call', ('hurry',), '{decision}', POLICY),))\n"
    )
    with Agent.open("main", home=home) as agent:
        assert agent.role_record("own", "Wait").direction == "neutral"
        assert {"own", "market.spot.momentum"} <= {role.id for role in agent.roles}
