"""What holding perpetual positions cost or brought, hour by hour, as the venue booked it.

Reading order: `area` (what the room declares), `model`, `read` (rows of the venue), `rows`.
"""
