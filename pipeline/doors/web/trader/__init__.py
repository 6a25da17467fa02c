"""The pages of traders: a file a noun; each takes who looks, calls one verb, and returns views.

Reading order: `fields` (what several pages ask for), `overview`; `trades`, `trade` and its `edits`;
`decisions`, `patterns`, `methods` (and trading cases); `accounts`, `institution`, `learnings`;
`memories`, `one_memory`, `preferences`, `profile`, `tags` and `prompt`.
"""
