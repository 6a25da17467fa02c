"""An agent's tools as methods: each is written where its story is told."""

from afterword.pipeline.doors.agent import conversation, look_up, profile, remember, roles
from afterword.pipeline.doors.agent.door import Door


class Agent(Door):
    """The memory of one agent, in one session of one group; its parts are those of `Door`.

    Three lines are enough::

        from afterword import Agent
        with Agent.open("main") as agent:
            agent.memory_store("preference", "Prefers weekly charts")

    What a method returns is frozen and plain: `dataclasses.asdict` makes JSON of it. Every method
    that writes does so in one transaction, counted against the session's limits. Threads may
    share an agent.
    """

    memory_write = remember.memory_write
    memory_store = remember.memory_store
    memory_delete = remember.memory_delete

    memory_read = look_up.memory_read
    memory_search = look_up.memory_search
    search_conversation_memory = look_up.search_conversation_memory
    memory_brief = look_up.memory_brief
    memory_compiled_page = look_up.memory_compiled_page

    role_record = roles.role_record
    role_recall = roles.role_recall
    role_prompt = roles.role_prompt

    profile_read = profile.profile_read
    profile_set = profile.profile_set

    snapshot = conversation.snapshot
    start_brief = conversation.start_brief
    begin_turn = conversation.begin_turn
    finish_turn = conversation.finish_turn
    end = conversation.end
