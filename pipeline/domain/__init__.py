"""Floor of the areas: one room per noun, with its tables, rules and verbs.

Only a room's own verbs write its rows. The floor may import `gateway`, `core`, `rules` and the
leaves.
"""
