"""Typed edges from rows to the assets, chains and addresses they are about.

Reading order: `extraction` (the rule), `extract` (the job), `read` (what is known about an entity),
`replay` (find missing edges), `refile` (edges under keys of an earlier release), `area` (what the
room declares), `rows` and `read_rows` (the SQL).
"""
