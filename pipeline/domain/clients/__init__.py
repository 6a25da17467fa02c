"""What clients of the network door do in a group: their sessions, their writes, each once.

Reading order: `model`, `sessions` (a session belongs to the token that began it), `once` (a write
and its answer in one transaction, counted against the token's day), `rows`,
`end` (they have other tokens where the group moves to), `area`.
"""
