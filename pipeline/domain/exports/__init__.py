"""Exports: files that venues, brokers and back-tests hand out, read into fills and closed trades.

Reading order: `read` finds the layout of a file and reads it, `import_export` stores it. Tables
that are described by their columns: `mapping` (which column holds what, as its owner or a layout
file says it), `mapped` and `mapped_exchange` (read such a table) with `mapped_table`, `mapped_row`,
`currency` and `money` (of its prices), `side_words` and `status_words` (what buys, what was
executed), `directions` (of closed trades), `text_cells` with `text_form` (cells that hold several
things). Layout files: `layout_files` (those that ship, in the folder `layouts`, and those of a
home), `layout_file` and `layout_text` (one of them, checked). `kept` with `mapping_rows` and `area`
(mappings for the next file with the same header). Files of no known layout: `refusal` with `guess`,
`guess_names`, `guess_sides`, `guess_profit`, `preview` and `contents` (what to try, and what comes
of it); `proposal` (a layout that a model writes).
"""
