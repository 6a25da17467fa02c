"""Floor of the areas: one room per noun, with its tables, rules and verbs.

Only a room's own verbs write its rows. Order: `audit` may import `synthesis`, which may import
`cases`, which may import `trades` and `methodologies`; these may import `reflection`, which
may import `patterns`, which may import `decisions`, which may import `skills`; they may
import `edges`, `vectors`, `sessions`, `facts`, `history` and `outcomes`; `exports` may import
`venues`, which may import `documents`, which may import `history`; every room may import `memory`
and `prices`. The floor may import `gateway`, `core`, `rules` and the leaves.
"""
