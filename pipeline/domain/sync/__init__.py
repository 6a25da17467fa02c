"""The mirror of what venues have of an account: whole, and kept current.

Reading order: `pages` (a span of time, whole), `venue_fills`, `venue_funding` and `venue_ledger`
(what Hyperliquid has of an address), `turn` (when a mirror is due), `state_rows`, `progress` (how
far one is), `mirror` (one source of one account), `cover` (up to which value of it), `outage`
(whose fault a failure is), `report`, `plan` (which mirrors a run takes), `sync` (the verb),
`keep_spot` (what files of wallets bring), `status`, `has_work` and `metrics` (what is shown of it),
`area` (what the room declares).
"""
