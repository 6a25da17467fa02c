"""What is true about memory: plain Python over SQLite files.

Reading order: `errors`, `clock`, `store` (the files), `jobs` (what must happen later), `memory`
(the rows everything else is about), then the areas, then the doors (`cli`).
"""
