"""The schedule: which jobs start by themselves and when, and the process that sends all jobs.

Reading order: `entry` (one line of the schedule), `table` (all lines), `due` (which slots fire),
`work` (the rules that say since when a group has work), `tick` (fire them), `dispatcher` (the
process that sends jobs and ticks), `up` (everything in one process), `words` (a line in words),
`listed` and `listed_view` (the schedule as an operator sees it), `process`, `run_entry` and
`commands` (the command line), `http_routes` (the network), `pages` (a browser), `autostarted` (the
process that an agent starts), `needed` (when the schedule next has work), `replay` (a replay
through the workers), `demo` (`afterword demo`), `area` and `tables` (what the package declares),
`rows` (the SQL), `testing` (a dispatcher for tests).
"""
