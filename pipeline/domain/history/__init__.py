"""History: the fills of an account on a venue, and the round trips they add up to.

Reading order, the pure part: `model` (fills, chains, trips), `parse` (rows of the API), `chain`
(their execution order), `round_trips` (flat to flat, and what a late page changes), `describe` (the
sentence of a trip). The store: `import_fills` (the verb), `stretch` (the part of a market it
reads), `gather`, `settlement` (the changes), `settle`, `area` (what the room declares), `rows`,
`trip_rows` (the SQL).
"""
