"""History: files of fills and closed trades, imported into the store.

Reading order: `spool_file` and `spool` (one file, set aside), `import_fills` (the verb), `stopped`
(why one did not end), `files` (where two files meet), `undecided` (what a person decides about
them), `twins` and `other_layouts` (the same trades in two layouts), `keep_funding` (payments, kept
beside them), `lineage` (the file of a fill), `area` (what the room declares).
"""
