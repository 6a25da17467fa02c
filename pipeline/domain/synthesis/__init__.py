"""Synthesis: the pass that scores methodologies and decides what becomes of them.

Reading order: `area` (what the room declares).
"""
