"""A model that remembers, on asyncio: what it asks for at once runs at once.

ANTHROPIC_API_KEY=... python examples/asyncio_loop.py "What do you know about SOL and ETH?"
"""

import asyncio
import json
import sys

import anthropic

from afterword import AsyncAgent, PipelineError, instructions, tools


async def answer(agent, asked):
    """Return what a tool answers; a refusal says what is accepted, and the model tries again."""
    try:
        said, is_refused = json.dumps(await agent.call(asked.name, asked.input)), False
    except PipelineError as refusal:
        said, is_refused = str(refusal), True
    return {"type": "tool_result", "tool_use_id": asked.id, "content": said, "is_error": is_refused}


async def main(question):
    """Talk until the model asks for no more tools, and print what it says."""
    client, talk = anthropic.AsyncAnthropic(), [{"role": "user", "content": question}]
    async with await AsyncAgent.open() as agent:
        system = f"{instructions()}\n{await agent.snapshot()}"
        given = {"system": system, "tools": tools("anthropic")}
        while True:
            reply = await client.messages.create(
                model="claude-haiku-5-5", max_tokens=1024, messages=talk, **given
            )
            talk.append({"role": "assistant", "content": reply.content})
            asked = [part for part in reply.content if part.type == "tool_use"]
            if not asked:
                break
            results = await asyncio.gather(*(answer(agent, one) for one in asked))
            talk.append({"role": "user", "content": results})
    print(*(part.text for part in reply.content if part.type == "text"))


asyncio.run(main(sys.argv[1]))
