"""Views of what is remembered, and of what an agent is shown.

Reading order: `memory`, `search`, `entries`, `facts`, `profile`, `sessions`, `edges`, `prompts`,
`workspace`.
"""
