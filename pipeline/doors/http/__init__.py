"""The network door: HTTP with JSON for programs, and the Model Context Protocol beside it.

Reading order: `serve` (the life of the process), `protocol` (a connection and its deadline),
`guard` (what is refused before any route sees it), `app` (the routes that areas declare),
`caller` (who asks, and what a route may use), `agents` (the sessions of agents), `writes` (one
effect for one key), `problems` (an error as an answer), `body` (what a request may carry), and the
routes of each noun in `routes`; `area`.
"""
