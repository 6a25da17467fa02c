"""A model judges inside a replay: paid once, from its cassette again, and it never sees tomorrow.

The model of these tests says in each answer how many it has given. So a question that is asked
twice, or in another order, changes all later answers, and with them the state of the replay.
"""

import json
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.gateway.budget.amounts import usd
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command, CommandResult
from afterword.pipeline.testing.faulty_server import (
    Behaviour,
    RequestTurn,
    answer,
    changed,
    refuses,
)
from afterword.pipeline.testing.model_server import (
    ModelRequest,
    ModelServer,
    declines,
    fills_in,
)
from tests.unit.replay.worlds import BEGIN, price_file

DAYS = 20
HORIZON = timedelta(days=1)
ASKED = ("--rule", "momentum:lookback_hours=96", "--horizon", "1d", "--no-placebos")
SLICES = ("--slice", "3", "--json")


class Judge(ModelServer):
    """A model that finds an error in each wrong decision, and numbers its answers."""

    def __init__(self) -> None:
        super().__init__(fills=self.fill)

    def fill(self, asked: ModelRequest) -> dict[str, Any]:
        number = len(self.served) + 1
        if "lesson" in asked.schema["properties"]:
            return {"lesson": f"Wait a day; answer {number}."}
        return {"type": "logic_error", "narrative": f"The move was over; answer {number}."}

    @property
    def prompts(self) -> list[str]:
        return [one.user for one in self.asked]


@dataclass(frozen=True)
class Desk:
    """One home with its command line, and the model that its replays ask."""

    command: Command
    model: Judge

    def run(
        self, name: str = "past", *line: str, differs_on: int | None = None, **env: str
    ) -> CommandResult:
        """Run a new replay that the model judges."""
        folder = self.command.home.with_name("prices")
        prices = price_file(folder, days=DAYS, differs_on=differs_on)
        given = ("--prices", str(prices), *ASKED, "--judge", "model", *SLICES, *line)
        return self.replay("run", name, *given, **env)

    def resume(self, **env: str) -> CommandResult:
        return self.replay("resume", "past", *SLICES, **env)

    def replay(self, *line: str, **env: str) -> CommandResult:
        given = {
            "LLM_PROVIDER": "anthropic",
            "LLM_BASE_URL": self.model.origin,
            "LLM_USD_PER_MILLION_INPUT_TOKENS": "1",
            "LLM_USD_PER_MILLION_OUTPUT_TOKENS": "1",
            "LLM_CASSETTE": str(self.command.home.with_name("cassette")),
        }
        named = {f"AFTERWORD_{name}": value for name, value in (given | env).items()}
        return self.command("replay", *line, env=named)

    def kept_until(self) -> datetime:
        """Return the last pass of the slices that are kept, from `replay ls`."""
        (past,) = self.replay("ls", "--json").json
        return from_micros(past["cursor"])


@pytest.fixture
def model() -> Iterator[Judge]:
    with Judge() as model:
        yield model


@pytest.fixture
def desk(command: Command, model: Judge) -> Desk:
    return Desk(command, model)


@dataclass(frozen=True)
class Undisturbed:
    """What a run came to that nothing disturbed.

    Args:
        prompts: in their order.
        cost: of the answers; micro-USD.
    """

    hash: str
    prompts: list[str]
    cost: int


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Run the replay of these tests in a home of its own, once for all of them."""
    home = tmp_path_factory.mktemp("undisturbed") / "home"
    with Judge() as model:
        done = Desk(Command(home, ManualClock(), seeded_uids(1)), model).run()
        return Undisturbed(hash_of(done), model.prompts, sum(model.tokens))


@pytest.mark.parametrize(
    "env",
    [{"LLM_PROVIDER": "cassette"}, {"LLM_BASE_URL": "http://127.0.0.1:1"}],
    ids=("no provider", "service down"),
)
def test_what_was_recorded_runs_again_without_its_model(
    desk: Desk, stores: Stores, whole: Undisturbed, env: dict[str, str]
):
    assert hash_of(desk.run()) == whole.hash
    asked = len(desk.model.asked)

    again = desk.run("again", **env)

    assert hash_of(again) == whole.hash
    assert len(desk.model.asked) == asked > 10
    assert {group for group, *_ in booked(stores.instance)} == {"replay:past"}


@pytest.mark.parametrize("until", ["the cap is raised", "some days later"])
def test_a_spent_budget_ends_the_run_at_a_whole_slice_and_nothing_is_paid_twice(
    desk: Desk, clock: ManualClock, stores: Stores, whole: Undisturbed, until: str
):
    cap = {"EXPERIMENT_DAILY_CAP_USD": usd(whole.cost * 2 // 3)}

    stopped = desk.run(**cap)

    (error,) = stopped.err.splitlines()
    assert (stopped.code, stopped.out) == (1, "")
    assert "budget:experiment until 2026-01-06T00:00Z" in error
    assert BEGIN < desk.kept_until() < BEGIN + timedelta(days=DAYS)
    assert is_whole(stores, desk.kept_until())

    answers = len(desk.model.served)
    assert desk.resume(**cap).code == 1
    assert len(desk.model.asked) == answers  # while nothing may be spent, nothing is sent
    if until == "the cap is raised":
        done = desk.resume()
    else:
        for _ in range(4):
            clock.advance(days=1)
            done = desk.resume(**cap)

    assert hash_of(done) == whole.hash
    assert desk.model.prompts == whole.prompts
    assert sum(cost for *_, cost in booked(stores.instance)) == whole.cost


def hang_up(turn: RequestTurn[Any]) -> None:
    """Reset the connection, and do no work."""
    turn.handler.close_connection = True
    linger = struct.pack("ii", 1, 0)
    turn.handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    turn.handler.connection.close()


@pytest.mark.parametrize(
    "fault", [refuses(529), refuses(500), hang_up], ids=("529", "500", "reset")
)
def test_an_outage_undoes_the_slice_and_the_run_goes_on_to_the_same_state(
    desk: Desk, clock: ManualClock, stores: Stores, whole: Undisturbed, fault: Behaviour
):
    desk.model.script(*[answer] * 7, fault)  # it has said why, and is asked for the lesson

    stopped = desk.run()

    (error,) = stopped.err.splitlines()
    assert (stopped.code, stopped.out) == (1, "")
    assert "model service" in error and "try again" in error
    kept = desk.kept_until()
    assert kept > BEGIN
    assert is_whole(stores, kept)

    down = desk.resume(LLM_BASE_URL="http://127.0.0.1:1")
    assert (down.code, desk.kept_until()) == (1, kept)

    clock.advance(hours=1)  # its circuit is closed again
    assert hash_of(desk.resume()) == whole.hash
    assert len(desk.model.served) == len(whole.prompts)


@pytest.mark.parametrize(
    "fault", [fills_in({}), changed(declines)], ids=("an unusable answer", "a refusal")
)
def test_a_model_that_fails_to_answer_once_changes_nothing_of_a_second_run(
    desk: Desk, fault: Behaviour
):
    desk.model.script(*[answer] * 4, fault)

    first = desk.run()
    asked = len(desk.model.asked)

    assert hash_of(desk.run("again", LLM_PROVIDER="cassette")) == hash_of(first)
    assert hash_of(desk.run("resuming")) == hash_of(first)
    assert len(desk.model.asked) == asked


def test_answers_that_can_never_be_used_stop_the_run_after_three(desk: Desk, whole: Undisturbed):
    desk.model.script(*[answer] * 4, *[fills_in({})] * 3)

    stopped = desk.run()

    assert (stopped.code, len(desk.model.asked)) == (1, 7)
    assert "try again later" in stopped.err
    assert desk.resume().json["replay"]["state"] == "done"
    assert len(desk.model.served) == len(whole.prompts) + 3


def test_what_a_replay_asks_is_booked_under_its_own_address_as_an_experiment(
    desk: Desk, stores: Stores
):
    stores.group("past", create=True)
    desk.run()

    found = booked(stores.instance)
    assert {one[:2] for one in found} == {("replay:past", "experiment")}
    assert len(found) == len(desk.model.served)
    assert sum(cost for *_, cost in found) == sum(desk.model.tokens)
    with reading(stores.instance) as conn:
        windows = conn.exec_driver_sql("SELECT scope, name FROM budget_windows").all()
    assert {tuple(one) for one in windows} == {
        ("category_day", "experiment"),
        ("category_month", "experiment"),
        ("group_day", "replay:past"),
    }


def test_a_prompt_tells_only_the_lessons_that_were_known_when_its_decision_was_made(
    desk: Desk, stores: Stores
):
    desk.run()
    with reading(stores.replay("past")) as conn:
        rows = conn.exec_driver_sql(
            "SELECT lesson, reflected_at FROM role_memory WHERE lesson > ''"
        )
        known_at = {lesson: from_micros(at) for lesson, at in rows}

    told = [
        (lesson, decided_at(prompt))
        for prompt in desk.model.prompts
        for lesson in material(prompt)["known_when_decided"]["lessons"]
    ]

    assert len({lesson for lesson, _ in told}) >= 5
    assert [lesson for lesson, decided in told if known_at[lesson] > decided] == []


def test_prices_of_later_change_no_prompt_of_before(desk: Desk, whole: Undisturbed):
    changes = 12
    desk.run(differs_on=changes)

    until = BEGIN + timedelta(days=changes) - HORIZON  # such decisions have their outcome by then
    known = [one for one in whole.prompts if decided_at(one) <= until]
    assert desk.model.prompts[: len(known)] == known
    assert not set(desk.model.prompts[len(known) :]) & set(whole.prompts)
    assert 5 < len(known) < len(whole.prompts)


def test_decisions_that_the_model_may_know_are_told_apart_to_the_end_of_the_named_day(desk: Desk):
    desk.run("past", "--known-until", "2024-01-10")

    done = desk.command("replay", "report", "past")

    assert (done.code, done.err) == (0, "")
    said = " ".join(done.out.split())
    assert "5 decisions of 16 were made until 2024-01-10, the last day that" in said


def hash_of(done: CommandResult) -> str:
    assert done.code == 0, done.err
    return str(done.json["replay"]["state_hash"])


def material(prompt: str) -> dict[str, Any]:
    """Return the JSON of a question, which ends it."""
    found: dict[str, Any] = json.loads(prompt[prompt.index('{\n "role"') :])
    return found


def decided_at(prompt: str) -> datetime:
    return datetime.fromisoformat(material(prompt)["decided_at"])


def booked(instance: Store) -> list[tuple[str, str, int]]:
    """Return group, category and cost of each booking; micro-USD."""
    with reading(instance) as conn:
        rows = conn.exec_driver_sql("SELECT group_name, category, cost_micro_usd FROM llm_usage")
        return [(group, category, cost) for group, category, cost in rows]


def is_whole(stores: Stores, kept: datetime) -> bool:
    """Whether nothing is known in the replay that became known after its last slice."""
    with reading(stores.replay("past")) as conn:
        query = (
            "SELECT known_at FROM role_memory UNION SELECT known_at FROM outcomes UNION"
            " SELECT classified_at FROM role_memory WHERE classified_at IS NOT NULL"
        )
        return max(map(from_micros, conn.exec_driver_sql(query).scalars())) <= kept
