"""What venues hold of an account, read page by page, and when to read it again.

Reading order: `pages` (a span of time, whole), `venue_fills` and `venue_funding` (what
Hyperliquid has of an address), `turn` (when a mirror is due).
"""
