"""Audit: how healthy the learning loop is, from its own records, without touching them.

Reading order: `area` (what the room declares).
"""
