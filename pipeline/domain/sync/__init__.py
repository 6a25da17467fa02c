"""The mirror of what venues hold of an account, kept current.

Reading order: `pages` (one span of time, whole).
"""
