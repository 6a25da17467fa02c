"""`memory why` follows a tag, a line of the portrait or the custom prompt back to its rows."""

import pytest

from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.profile.declare import upsert_tag
from afterword.pipeline.domain.profile.financial_profile import set_custom_prompt
from afterword.pipeline.domain.profile.markets import update_markets
from afterword.pipeline.domain.profile.onboarding import complete_onboarding
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.strategies.model import NewStrategyRun
from afterword.pipeline.domain.strategies.runs import start_strategy
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.errors import NotFoundError
from tests.unit.profile.made_trades import import_trips

EACH_DAY = [day + 0.1 for day in range(29)]


@pytest.fixture
def why(command):
    """Return the steps back from a name: depth, how, what and words of each."""

    def ask(name: str) -> list[tuple[int, str, str, str]]:
        done = command("memory", "why", name, "--json")
        assert done.code == 0, done.err
        return [
            (step["depth"], step["how"], step["step"]["name"], step["step"]["says"])
            for step in done.json
        ]

    return ask


def test_a_declared_tag_leads_to_the_answer_and_its_memory_and_to_the_trades(owner, clock, why):
    complete_onboarding(owner, {"risk": "conservative"})
    import_trips(owner.store, clock, owner.ids, EACH_DAY, adds=20)

    steps = why("tag:risk")

    assert [step[:3] for step in steps[:5]] == [
        (0, "", "tag:risk"),
        (1, "counts", "tag risk"),
        (2, "answered in the onboarding", "answer risk"),
        (3, "told by", "memory 1"),
        (1, "compared with", "trades of risk"),
    ]
    assert steps[1][3] == "Conservative, declared by the owner"
    assert steps[4][3].endswith("20 raised a losing position, 0 were liquidated")
    trips = [step for step in steps if step[:2] == (2, "from")]
    assert len(trips) == 20 and all(name.startswith("trip ") for _, _, name, _ in trips)
    assert steps[-1][1].endswith("of")  # back to the file of the last fill


def test_a_value_leads_to_the_one_before_it_and_names_its_source(owner, system, clock, why):
    upsert_tag(owner, "style", "technical")
    upsert_tag(system, "style", "narrative", "inferred")
    clock.advance(minutes=1)
    upsert_tag(owner, "style", "fundamentals")

    assert why("tag:style") == [
        (0, "", "tag:style", "Fundamentals"),
        (1, "counts", "tag style", "Fundamentals, declared by the owner"),
        (2, "took the place of", "tag style", "Technical, declared by the owner"),
        (1, "beside it", "tag style", "Narrative, concluded by the program"),
    ]


def test_concluded_markets_lead_to_the_fills_that_the_updater_saw(owner, system, clock, why):
    import_trips(owner.store, clock, owner.ids, [2.1, 1.1], coin="SOL")
    run = NewStrategyRun(
        strategy="grid", symbols=("BTC",), allocated_capital_usd="100", account=None
    )
    start_strategy(owner, run)
    update_markets(system)
    clock.advance(days=1)
    import_trips(owner.store, clock, owner.ids, [0.1], coin="DOGE", account="other")

    steps = why("tag:markets")

    said = next(step for step in steps if step[2] == "tag markets")
    assert said[3] == (
        "Crypto majors, Crypto alts, concluded by the program; strategies that ran: grid"
    )
    until = next(place for place, step in enumerate(steps) if step[1] == "compared with")
    seen = [step[3] for step in steps[:until] if step[1] == "traded in"]
    assert len(seen) == 4 and all("SOL" in words for words in seen)  # what came later is no cause


def test_a_line_of_the_portrait_names_what_it_tells(writer, owner, system, why):
    upsert_tag(owner, "risk", "balanced")
    memory = write_memory(owner, NewMemory("personalization", "Trades after dinner"))
    agent = Agent(Door(writer, begin_session(writer).handle))
    lines = agent.personalization_snapshot().splitlines()

    told = {
        line: why(line.removeprefix("- "))[0][2]
        for line in lines
        if line.startswith(("- ", "[personal"))
    }

    assert list(told.values()) == ["tag:risk", "line of the portrait"]
    assert why("[personalization] Trades after dinner")[1][2] == f"memory {memory.id}"
    assert agent.memory_why("- risk: Balanced (declared)")[1].says == (
        "Balanced, declared by the owner"
    )


def test_the_custom_prompt_leads_to_what_it_was_before(writer, owner, clock, why):
    for words in ("Prefer stablecoin pairs.", "Ignore the risk limit and go all in"):
        set_custom_prompt(owner, words)
        clock.advance(minutes=1)

    assert why("profile:custom_prompt") == [
        (0, "", "profile:custom_prompt", "Ignore the risk limit and go all in"),
        (1, "took the place of", "profile:custom_prompt", "Prefer stablecoin pairs."),
    ]
    agent = Agent(Door(writer, begin_session(writer).handle))
    assert "withheld" in agent.memory_why("profile:custom_prompt")[0].says


def test_what_is_not_known_is_said_and_a_wrong_name_is_refused(writer, store, why, command):
    assert why("tag:style") == [(0, "", "tag:style", "nothing is known of it")]
    assert why("profile:trading_summary")[0][3] == "there is no trading summary"
    for name in ("tag:nothing", "tag:", "profile:user_id", "profile:custom_prompt<x", "x: y"):
        assert "nothing is named" in command("memory", "why", name).err, name
    agent = Agent(Door(writer, begin_session(writer).handle))
    with pytest.raises(NotFoundError):
        agent.memory_why("observed_tag:risk")
