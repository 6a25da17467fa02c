"""Floor of the files, the job ledger and events, which every area uses.

Order: `jobs` imports `store`, which imports `telemetry`; `area` has the types in which every room
declares itself, `files` opens files of other programs. The floor may import `rules` and the leaves.
"""
