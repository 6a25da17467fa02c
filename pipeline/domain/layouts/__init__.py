"""Layouts: how programs lay out the trades they export, and what their readers share.

Reading order: `layout` (what a layout is, what its reader yields), `pairs` (the coins of a market),
`legs` (trades of statements), `transfers` (what is left after coins were sent away), `dates` (days,
and files with the newest row first), `options` and `amounts` (contracts; prices that follow from
amounts), `markets` (what the name of a market says).
"""
