"""Sessions of an agent: their handles, the limits of their writes, and their turns.

Reading order: `model` (a session, its limits, a turn), `sessions` (begin, enter, end), `limits`
(count what is written in one), `turns` (begin and finish a turn), `ended_rows` (the order in which
they ended), `read` (for the owner), `import_memories` (conversations of a file), `carried` (those
of an import), `lineage` (where a memory was written), `area` and
`tables` (what the room declares), `rows` and `import_rows` (the SQL).
"""
