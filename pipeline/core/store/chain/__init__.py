"""Tamper evidence: which rows of a group were written by another program than Afterword.

Reading order: `cover` (the covered tables and their columns), `seal` (keys and digests), `blocks`
(the blocks of a chain and the lines in them), `noted` (the rows of a write), `watch` (each write
adds its block), `model` (what a check reports), `fold` (what the chain says of every row),
`compare` (the rows against it), `anchors` (the length of each chain, kept in `instance.sqlite`),
`verify` (one group, whole; the owner takes its rows as right), `shorten` (older blocks become one).
"""
