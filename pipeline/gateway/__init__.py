"""Floor of everything that leaves the process: requests, their cost, and the permission to send.

Order: `llm`, `embedding`, `venue` and `exchanges` import `http`, which imports `budget` and
`switches`; `access` says who may call in. The floor may import `core`, `rules` and the leaves.
"""
