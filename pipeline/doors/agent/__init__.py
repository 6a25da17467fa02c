"""The Python door: one method for each tool an agent has.

Reading order: `agent` (the table of its tools), `door` (what stands behind them), the tools by
story: `remember`, `look_up`, `roles`, `profile`, `conversation`; `model` (what they return),
`arguments` (what they take), `write` (the writes of a session, each one transaction), `call` (a
tool called by its name, as a model does), `instructions` (what a model is told about its memory).
"""

from afterword.pipeline.domain.sessions.model import ToolCall
from afterword.pipeline.doors.agent.agent import Agent
from afterword.pipeline.doors.agent.call import TOOLS, call, manifest, schema
from afterword.pipeline.doors.agent.instructions import INSTRUCTIONS, instructions

__all__ = [
    "INSTRUCTIONS",
    "TOOLS",
    "Agent",
    "ToolCall",
    "call",
    "instructions",
    "manifest",
    "schema",
]
