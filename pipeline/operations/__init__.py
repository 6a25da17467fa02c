"""Floor of the commands that work on several areas.

Order: `doctor` (find and repair faults) imports `forget` (erase what a person names); `replay` (the
learning loop over the past) imports `loop` (its steps) and `learn` (what trades show); `roles`
gathers what the record of a role says. The floor may import `recall`, `domain`, `gateway`, `core`,
`rules` and the leaves.
"""
