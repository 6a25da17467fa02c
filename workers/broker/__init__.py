"""Dramatiq over Redis: messages that carry job ids and may be lost at any time.

Reading order: `broker` (the broker and its consumer), `announcements` (of new messages),
`outage` (log lines when Redis goes away and comes back).
"""
