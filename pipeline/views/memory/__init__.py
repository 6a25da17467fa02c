"""Views of what is remembered, and of what an agent is shown.

Reading order: `memory`, `search`, `lineage`, `entries`, `facts`, `profile`, `tags`, `onboarding`,
`rebuilds`, `portrait`, `preferences`, `sessions`, `edges`, `prompts`, `workspace`,
`portability`.
"""
