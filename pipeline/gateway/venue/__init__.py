"""The way to a trading venue's public API, and the weight of what is asked of it.

Reading order: `area` (what the room declares), `model` (requests and their weights), `weight_rows`
and `weight` (one meter for all processes), `info` (Hyperliquid's `/info`), `patient` (for a person
who waits), `build`.
"""
