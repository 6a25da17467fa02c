"""`afterword history`: the trades of a venue's exports, and those that are written by hand.

Reading order: `import_files`, `fills` (list and show what is stored), `spot` (what wallets did on
chains), `edges` (trades that may stand in two files), `mappings` (of columns, kept for the next
file), `record` (trades by hand), `reconcile` (whether an account adds up), `app` (the group).
"""
