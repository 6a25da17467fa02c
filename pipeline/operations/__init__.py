"""Floor of the commands that work on several areas: `doctor` and `forget`.

The floor may import `recall`, `domain`, `gateway`, `core`, `rules` and the leaves.
"""
