"""What the record of a role says, gathered from decisions, outcomes and patterns.

Reading order: `counted` (all roles), `figures` (as they are told), `summary` (one role, class by
class), `placebos` (what coin flips would have been told), `hypotheses` (the twelve questions of a
family, and the decisions behind one of them).
"""
