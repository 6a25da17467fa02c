"""Where something comes from, followed back through the rooms to turns, fills and files.

Order: `trace` is the only file.
"""
