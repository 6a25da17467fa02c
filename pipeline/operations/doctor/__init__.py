"""Check a whole installation, say for each finding what to do, and repair derived data.

Reading order: `model` (a finding), `machine` (Python, SQLite, packages, disk), `access` (who may
read and change the files, and its repair), `stores` (files), `ledger` (jobs), `fleet` (processes),
`governance` (switches, circuits, budget), `memory` with `memory_rows`, `roles`, `keys`, `patterns`,
`methodologies`, `learnings` and `workspace` (memories, decisions, what is derived from them, and
the files of prompts), `mirrors` (accounts at venues), `examine` (all checks), `anonymous` (a report
without private data), `fix` (repair derived data), `area` (what the room declares).
"""
