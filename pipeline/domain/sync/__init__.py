"""The mirror of what venues have of an account: whole, and kept current.

Reading order: `account_history` (what is asked of any venue), `pages` (a span of time, whole),
`venue_fills`, `venue_funding` and `hyperliquid_history` (what Hyperliquid has of an address),
`exchange_history` (what an exchange has of the account of a key), `turn` (when a mirror is due),
`histories` (the way to each), `state_rows`, `mirror` (one source of one account), `report` (what a
run did), `sync_account` (one account), `sync` (the verb), `status`, `has_work` and `metrics` (what
is shown of it), `area` (what the room declares).
"""
