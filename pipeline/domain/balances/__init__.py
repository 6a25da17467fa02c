"""What an account is worth at a moment, as its venue says it: what its history must add up to.

Reading order: `area` (what the room declares), `model`, `replies` (what
Hyperliquid says of an address's money), `ask` (the value of an account now), `rows`.
"""
