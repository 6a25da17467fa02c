"""What an account did on a venue, and the round trips its fills add up to.

Reading order: `model` (fills, chains, trips), `parse` (rows as the API returns them), `chain`
(the order they executed in), `round_trips` (flat to flat, and what a late page changes),
`describe` (the sentence a trip becomes): pure. Then the store: `import_fills` (the verb),
`stretch` (how much of a market it reads), `gather`, `settlement` (what that changes), `settle`,
`rows` and `trip_rows` (every SQL statement).
"""
