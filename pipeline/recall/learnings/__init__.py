"""Show the learnings of a turn: those that fit its message, as a fenced block.

Reading order: `block` (the text), `tell` (for an open turn, and for any words as of a moment).
"""
