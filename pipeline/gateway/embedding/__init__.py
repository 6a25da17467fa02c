"""Turn texts into vectors within the budget.

Reading order: `model` (the protocols), `openai` (one request), `reply` (check and decode a reply),
`local` (a model in this process), `metered` (reserves money and asks the circuit before each
request), `build` (the embedder of the settings), `area` (what the room declares).
"""
