"""The routes of the network door: a file a noun; each takes who asks, calls one verb, and returns
what it found.

Reading order: `asked` (arguments that several routes have), `listing` (pages of lists), `tools`
(the agent's tools), `prompts` (what a session begins with), `sessions`, `memory`, `profile`,
`learned`, `trading`, `operator`, `document`.
"""
