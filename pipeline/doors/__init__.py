"""Floor of the ways in: a door checks a request, calls one verb, and returns or prints its answer.

Order: `commands` imports the other doors; `connect` (lets a client in) and `web` stand beside each
other; `web` imports `http`, `http` imports `mcp`, `mcp` imports `agent`, and all import `cli`,
which imports `render` (a view as text, as a page or as markdown). The floor may import all others.
"""
