"""Floor of the commands that work on several areas.

Order: `doctor` (find and repair faults) imports `forget` (erase what a person names). The floor may
import `recall`, `domain`, `gateway`, `core`, `rules` and the leaves.
"""
