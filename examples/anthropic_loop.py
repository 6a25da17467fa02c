"""A model that remembers: Anthropic's tool loop over the agent's tools.

ANTHROPIC_API_KEY=... python examples/anthropic_loop.py "I like weekly charts better"
"""

import json
import sys

import anthropic

from afterword import Agent, PipelineError, call, instructions, tools


def answer(asked):
    """Return what a tool answers; a refusal says what is accepted, and the model tries again."""
    try:
        said, is_refused = json.dumps(call(agent, asked.name, asked.input)), False
    except PipelineError as refusal:
        said, is_refused = str(refusal), True
    return {"type": "tool_result", "tool_use_id": asked.id, "content": said, "is_error": is_refused}


client, talk = anthropic.Anthropic(), [{"role": "user", "content": sys.argv[1]}]
with Agent.open() as agent:
    system = f"{instructions(roles=agent.roles)}\n{agent.snapshot()}"
    given = {"system": system, "tools": tools("anthropic")}
    while True:
        reply = client.messages.create(
            model="claude-haiku-5-5", max_tokens=1024, messages=talk, **given
        )
        talk.append({"role": "assistant", "content": reply.content})
        results = [answer(part) for part in reply.content if part.type == "tool_use"]
        if not results:
            break
        talk.append({"role": "user", "content": results})
print(*(part.text for part in reply.content if part.type == "text"))
