"""The Python door: one method for each tool an agent has.

Reading order: `agent` (its tools and life cycle), `async_agent` (the same for asyncio), `door` (the
session and the parts its tools use), `due_work` (start a worker where none is alive), the tools by
story: `remember`, `look_up`, `why`, `roles`, `methods`, `institution`, `learnings`, `trades`,
`capital`, `strategies`, `profile`, `conversation` with `turn_model`, each loaded when it is first
used (`later`); what they return: `model`, and with the name of a story `role_model`,
`lesson_model`, `method_model`, `institution_model`, `trade_model`, `workspace_model`; `arguments`
(what they accept); the writes of a session, each in one transaction: `write`, `role_write`,
`method_write`, `institution_write`, `learning_write`, `trade_write`; `call` (run a tool by its
name, as a model does), `offered` (which tools a client gets), `dialects` (the tools in the form of
each model service), `instructions` (the text a system prompt holds).
"""

from afterword.pipeline.domain.sessions.model import ToolCall
from afterword.pipeline.doors.agent.agent import Agent
from afterword.pipeline.doors.agent.async_agent import AsyncAgent
from afterword.pipeline.doors.agent.call import TOOLS, call, manifest, schema
from afterword.pipeline.doors.agent.dialects import Dialect, tools
from afterword.pipeline.doors.agent.instructions import INSTRUCTIONS, instructions

__all__ = [
    "INSTRUCTIONS",
    "TOOLS",
    "Agent",
    "AsyncAgent",
    "Dialect",
    "ToolCall",
    "call",
    "instructions",
    "manifest",
    "schema",
    "tools",
]
