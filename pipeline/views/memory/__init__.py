"""Views of what is remembered, and of what an agent is shown.

Reading order: `memory`, `search`, `lineage`, `entries`, `facts`, `profile`, `sessions`, `edges`,
`prompts`.
"""
