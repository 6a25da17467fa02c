"""Find what roles learned that fits the decision an agent is about to make.

Reading order: `fragment` (what a role learned, and its part of a prompt), `lessons` (the fitting
ones first, with why), `question` (what a question is about), `present` (what its asset does now),
`ranking` (how they are compared), `tell` (what the draw leaves out, and what is kept for the
decision), `area`, `rows` (the SQL).
"""
