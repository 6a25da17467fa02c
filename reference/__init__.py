"""The reference of the documentation, generated from what the program declares.

`python -m reference` (`make reference`) writes the pages to `docs/reference/`; a test holds the
files equal to it. Reading order: `markdown` (a table, a heading), a file per page (`settings`,
`commands`, `tools`, `jobs`, `metrics`, `alerts`, `log_events`, `exit_statuses`, `rooms`), then
`pages` (all of them, with their index).
"""
