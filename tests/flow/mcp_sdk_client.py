"""A client of `afterword mcp` by the official SDK; it runs on release 1.26 and on 2.x.

Usage: python mcp_sdk_client.py '{"command": …, "args": …, "calls": [[tool, arguments], …]}' prints
what the server says of itself, its tools and its answers, as one JSON document. With
"url" and "headers" it asks a server over HTTP. With
"revision" the client of 2.x speaks that revision of the protocol, without a handshake. A call with
a third word is repeated for as long as its answer has that word in it.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def talk(given):
    if "url" in given:
        return await talk_over_http(given)
    line = StdioServerParameters(command=given["command"], args=given["args"], env=given.get("env"))
    if "revision" in given:
        from mcp import Client

        async with Client(stdio_client(line), mode=given["revision"]) as client:
            return await ask(client, client.protocol_version, given["calls"])
    async with stdio_client(line) as streams, ClientSession(*streams) as session:
        hello = plain(await session.initialize())
        answers = await ask(session, hello["protocolVersion"], given["calls"])
        return {**answers, "server": hello["serverInfo"], "instructions": hello["instructions"]}


async def talk_over_http(given):
    try:
        from mcp.client.streamable_http import streamablehttp_client as connect

        opened = connect(given["url"], headers=given["headers"])
    except ImportError:  # release 2
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        http = httpx2.AsyncClient(headers=given["headers"])
        way = streamable_http_client(given["url"], http_client=http)
        mode = given.get("revision", "legacy")  # with a handshake, as release 1 has it
        async with http, Client(way, mode=mode) as client:
            return await ask(client, client.protocol_version, given["calls"])
    async with opened as (incoming, outgoing, _), ClientSession(incoming, outgoing) as session:
        hello = plain(await session.initialize())
        return await ask(session, hello["protocolVersion"], given["calls"])


async def ask(client, revision, calls):
    tools = plain(await client.list_tools())["tools"]
    answers = [await call(client, *given) for given in calls]
    return {"revision": revision, "tools": tools, "answers": answers}


async def call(client, name, arguments, until_without=None):
    answer = plain(await client.call_tool(name, arguments))
    if until_without is not None and until_without in json.dumps(answer):
        await asyncio.sleep(0.05)
        return await call(client, name, arguments, until_without)
    return answer


def plain(answer):
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


sys.stdout.write(json.dumps(asyncio.run(talk(json.loads(sys.argv[1])))))
