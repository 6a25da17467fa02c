"""A LangGraph agent that remembers: its tools are those of `afterword mcp`.

pip install langgraph langchain-mcp-adapters langchain-openai
OPENAI_API_KEY=... python examples/langgraph_agent.py "I like weekly charts better"

The adapters need release 1 of the package mcp, and `afterword[mcp]` release 2: install Afterword in
an environment of its own, and give the path of its command as `command`.
"""

import asyncio
import os
import sys

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

SERVER = {"transport": "stdio", "command": "afterword", "args": ["mcp"], "env": dict(os.environ)}
BEGIN = "You have a memory. Begin with memory_brief; keep what the user wants with memory_store."


async def main(text):
    """Run the graph until the model asks for no more tools, and print what it says."""
    client = MultiServerMCPClient({"afterword": SERVER})
    # In one session one server answers all calls. `client.get_tools()` starts one for each call.
    async with client.session("afterword") as session:
        tools = await load_mcp_tools(session)
        model = ChatOpenAI(model="gpt-5-mini").bind_tools(tools)

        async def think(state):
            return {"messages": await model.ainvoke(state["messages"])}

        graph = StateGraph(MessagesState)
        graph.add_node("think", think)
        graph.add_node("tools", ToolNode(tools, handle_tool_errors=True))
        graph.add_edge(START, "think")
        graph.add_conditional_edges("think", tools_condition)
        graph.add_edge("tools", "think")
        talk = {"messages": [("system", BEGIN), ("user", text)]}
        done = await graph.compile().ainvoke(talk)
    print(done["messages"][-1].content)


asyncio.run(main(sys.argv[1]))
