"""Middleware: one concern per file, each around the run of every message.

Their order, the outermost first: `logs`, `metrics`, `budget` and `circuit` (two gates;
`gate` is their base), `serial`, `replays` (closes their files), `ledger`, then the actor.
"""
