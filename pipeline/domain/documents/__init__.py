"""Documents: a file that another program wrote, as its reader sees it.

Reading order: `layout` (what a layout is, what its reader yields), `document` (a file as rows, JSON
or markup), `cells` (a row by the names of its columns), `records` (objects of JSON), `markup`
(tables of a page). What readers share: `pairs` (the coins of a market), `legs` (trades of
statements), `transfers` (what is left after coins were sent away), `dates` (days, and files with
the newest row first), `options` and `amounts` (contracts; prices that follow from amounts),
`markets`, `pence`, `accounts`.
"""
