"""Reports as one HTML file each, as far as they are no views yet.

Reading order: `replay_charts`, `replay_methods` and `replay_page` (what came of a replay).
"""
