"""What an agent is answered is short enough to be read, and says where it is not whole."""

from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.agent.model import MAX_SHOWN


def test_a_long_memory_is_cut_in_an_answer_and_says_so(writer):
    agent = Agent(Door(writer, begin_session(writer).handle))
    write_memory(writer, NewMemory("reference", "word " + "x" * 90_000))
    agent.memory_store("context", "a short word")
    shown = {len(one.content): one.truncated for one in agent.memory_read()}

    assert shown == {12: False, MAX_SHOWN: True}
    assert {len(one.content): one.truncated for one in agent.memory_search("word")} == shown


def test_the_setting_bounds_an_agent_s_snapshot(home, monkeypatch):
    monkeypatch.setenv("AFTERWORD_SNAPSHOT_MAX_CHARS", "500")
    with Agent.open("main", home=home) as first:
        for number in range(5):
            first.memory_store("context", f"{number} " + "x" * 50)
    with Agent.open("main", home=home) as agent:
        assert 400 < len(agent.snapshot()) <= 500
