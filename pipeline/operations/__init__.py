"""Floor of the commands that work on several areas.

Order: `doctor` (find and repair faults) imports `forget` (erase what a person names); `learn` (what
trades show) stands alone. The floor may import `recall`, `domain`, `gateway`, `core`, `rules` and
the leaves.
"""
