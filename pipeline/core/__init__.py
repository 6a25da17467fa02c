"""Floor of the files, the job ledger and events, which every area uses.

Order: `jobs` imports `store`, which imports `telemetry`. The floor may import `rules` and the
leaves.
"""
