"""Floor of the reads over several areas.

Order: `methods` imports `page`; `page`, `lessons` and `workspace` import `prompts`, which imports
`search`; `lineage` stands alone. The floor may import `domain`, `gateway`, `core`, `rules` and the
leaves.
"""
