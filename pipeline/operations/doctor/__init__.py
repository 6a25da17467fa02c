"""Check a whole installation, say for each finding what to do, and repair derived data.

Reading order: `model` (a finding), `machine` (Python, SQLite, packages, disk), `access` (who may
read and change the files, and its repair), `stores` (files), `tamper` (rows that other programs
wrote), `ledger` (jobs), `fleet` (processes), `governance` (switches, circuits, budget), `memory`
with `memory_rows`, `roles`, `keys`, `patterns`, `methodologies`, `institution`, `learnings`,
`profile`, `preferences`, `workspace` and `rebuilds` (memories, decisions, what is derived from
them, the files of prompts, and what is concluded of the user), `mirrors` (accounts at venues),
`examine` (all checks), `anonymous` (a report without private data), `fix` (repair derived data),
`area` (what the room declares).
"""
