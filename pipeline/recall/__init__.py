"""Floor of the reads over several areas.

Order: `methods` imports `page`; `page`, `lessons`, `workspace` and `institution` import `prompts`,
which imports `search`; `lineage` stands alone. The floor may import `domain`, `gateway`, `core`,
`rules` and the leaves.
"""
