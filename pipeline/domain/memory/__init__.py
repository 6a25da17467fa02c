"""Memories: write, supersede, edit, delete and read them, now or as of a moment.

Reading order: `model` and `checks` with `json_object` (values and what is refused), `writer` (who
writes, and with what), `write`, `same_words` (a rule that is stored again), `entries` (typed ones),
`carried` (those of an import), `supersede`, `edit`, `delete`, `parents` (staleness), `purge`,
`visibility` (the rows a read sees), `read`, `flags` (texts that read like orders to the agent),
`user_profile` (named facts), `audit_log` (a line per write), `lineage` (what one comes from),
`has_work` (rules of the schedule), `area` and `tables` (what the room declares), `rows`,
`user_profile_rows`, `same_words_rows`, `flag_rows` and `purge_rows` (the SQL).
"""
