"""A model that remembers: OpenAI's tool loop over the agent's tools.

OPENAI_API_KEY=... python examples/openai_loop.py "I like weekly charts better"
"""

import json
import sys

import openai

from afterword import Agent, PipelineError, call, instructions, tools


def answer(asked):
    """Return what a tool answers; a refusal says what is accepted, and the model tries again."""
    try:
        said = json.dumps(call(agent, asked.function.name, json.loads(asked.function.arguments)))
    except PipelineError as refusal:
        said = f"refused: {refusal}"
    return {"role": "tool", "tool_call_id": asked.id, "content": said}


client = openai.OpenAI()
with Agent.open() as agent:
    system = f"{instructions(roles=agent.roles)}\n{agent.snapshot()}"
    talk = [{"role": "system", "content": system}, {"role": "user", "content": sys.argv[1]}]
    while True:
        completion = client.chat.completions.create(
            model="gpt-5-mini", messages=talk, tools=tools("openai")
        )
        reply = completion.choices[0].message
        talk.append(reply)
        if not reply.tool_calls:
            break
        talk += [answer(asked) for asked in reply.tool_calls]
print(reply.content)
