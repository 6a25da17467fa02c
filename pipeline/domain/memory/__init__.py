"""The rows everything else is about: what is remembered, by whom, and since when it is known.

Reading order: `model` (a memory and its vocabularies), `checks` and `json_object` (what is
refused), `write`, `entries` (typed ones), `supersede`, `parents` (what goes
stale with them), `edit`, `delete`, `purge`, `alive` (which rows a reader sees), `read`,
`user_profile` (values by name), `audit_log` (the trace of each write), `area` (the jobs a write
causes), `edges`, `extract` and `embed` (what they do), `edge_reads` (what is known about an
entity), `edge_replay` and `vector_upkeep` (what mends them), `rows` and the other `*_rows` (the
SQL).
"""
