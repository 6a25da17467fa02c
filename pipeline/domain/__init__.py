"""Floor of the areas: one room per noun, with its tables, rules and verbs.

Only a room's own verbs write its rows. Order: `audit` may import `synthesis`, which may import
`cases`, which may import `trades` and `methodologies`; these may import `reflection`, which
may import `patterns`, which may import `decisions`, which may import `skills`; they may
import `edges`, `vectors`, `sessions`, `facts`, `fills` and `outcomes`; `exports` may import
`venues`, which may import `documents`; they may import `history`, which may import `trips` and
`recorded_trades`, which may import `fills`; every room may import `memory` and `prices`. The
floor may import `gateway`, `core`, `rules` and the leaves.
"""
