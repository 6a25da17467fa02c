"""The agent's tools for a client with a model, by the Model Context Protocol over stdin and stdout.

Reading order: `serve` (the life of the process: one session), `server` (what a client may ask, and
its answers), `offer` (the tools as the protocol describes them), `answer_schema` (the shape of what
a tool returns), `wire` (lines and messages), `area` (what the room declares).
"""
