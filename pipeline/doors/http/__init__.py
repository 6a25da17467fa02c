"""The network door: HTTP with JSON for programs, and the Model Context Protocol beside it.

Reading order: `serve` (the life of the process), `team` (several of them), `asgi` (types),
`protocol` (a connection, its place and its deadline), `guard` (what is refused before any route
sees it), `body` (what a request may carry), `answer` (what each answer has, and what is counted of
it), `app` (the routes that areas declare), `tool_calls` (the usual call of a tool, sooner),
`mcp_mount` (the same tools by MCP), `caller` (who asks, and what a route may use), `agents` (the
sessions of agents), `problems` (an error as an answer), `document` with `examples` (the OpenAPI
document), `routes` (a file a noun), `area` (what the room declares).
"""
