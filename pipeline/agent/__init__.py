"""The Python door: one method for each tool an agent has.

Reading order: `agent` (the table of its tools), `door` (what stands behind them), the tools by
story: `remember`, `look_up`, `roles`, `profile`, `conversation`; `model` (what they return),
`arguments` (what they take), `write` (the writes of a session, each one transaction), `call` (a
tool called by its name, as a model does), `instructions` (what a model is told about its memory).
"""

from pipeline.agent.agent import Agent
from pipeline.agent.call import TOOLS, call, manifest, schema
from pipeline.agent.instructions import INSTRUCTIONS, instructions
from pipeline.sessions.model import ToolCall

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
