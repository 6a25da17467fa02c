"""What an account is worth at a moment, as its venue says it: what its history must add up to.

Reading order: `area` (what the room declares), `model`, `ask` (what the venue says now), `rows`.
"""
