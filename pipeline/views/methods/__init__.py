"""Views of methods of analysis, and of how healthy it is to learn them.

Reading order: `methods`, `story` (one of them), `cases`, `synthesis`, `audit` and `institution`
(runs of several roles, which cite them).
"""
