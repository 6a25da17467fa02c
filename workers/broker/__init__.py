"""Dramatiq over Redis: messages that carry job ids and may vanish at any time."""
