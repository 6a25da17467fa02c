"""`afterword profile`: who the user is.

Reading order: `values` (named facts), `show`, `refresh`, `tags`, `prompt` (custom prompt and
flags), `onboard`, `app` (the group).
"""
