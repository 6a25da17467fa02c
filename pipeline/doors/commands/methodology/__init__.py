"""`afterword methodology`: methods of analysis, and how each did.

Reading order: `options`, `lines` (methods as lines of a file), `add`, `show`, `cases`, `change`
(delete and clear), `synthesize`, `app` (the group).
"""
