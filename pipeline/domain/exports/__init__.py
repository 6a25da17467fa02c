"""Exports: files that venues, brokers and back-tests hand out, read into fills and closed trades.

Reading order: `read` finds the layout of a file and reads it, `import_export` stores it. Tables of
unknown programs: `mapping` (which column holds what, as its owner says it), `mapped` (reads such a
table) with `mapped_table`, `mapped_row`, `currency` and `money` (of its prices), `side_words` and
`status_words` (what buys, what was executed), `directions` (of closed trades), `kept` with
`mapping_rows` and `area` (mappings for the next file with the same header), `refusal` with `guess`,
`guess_names` and `preview` (what to try with a file of no known layout, and what comes of it).
"""
