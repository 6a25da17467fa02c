"""`afterword memory`: the owner's door to what is remembered.

Reading order: `options`, `lines` (memories as lines of a file), `write`, `read`, `search`,
`delete`, `flags`, `take_along`, `app` (the group).
"""
