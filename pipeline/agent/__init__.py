"""The Python door: one method for each tool an agent has.

Reading order: `model` (what the methods return), `arguments` (what they take), `write` (the writes
of a session, each one transaction), `agent` (the door), `call` (a tool called by its name, as a
model does), `instructions` (what a model is told about its memory).
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
