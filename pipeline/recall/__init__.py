"""Floor of the reads over several areas: search, lessons, prompts, pages.

The floor may import `domain`, `gateway`, `core`, `rules` and the leaves.
"""
