"""Spot: what wallets swapped and moved on chains, with dollars where these are known.

Reading order: `area` (what the room declares), `model`, `checks` (what a row must be), `value`
(dollars, and on which basis), `rows` (the SQL), `keep` (the verb), `totals` (what they come to).
"""
