"""`afterword institution`: runs of several roles, and how they came out.

Reading order: `run` (capture, list, show, reflect), `prompt` (what the next run is told, and the
tools that its roles fill in), `app` (the group).
"""
