"""Floor of the commands that work on several areas.

Order: `doctor` (find and repair faults) imports `forget` (erase what a person names); `experiments`
(is memory, is graduation worth it) and `sweeps` (many replays of one plan) read a `replay_report`
(what came of one) of a `replay` (the learning loop over the past), which imports `loop` (its steps)
and `learn` (what trades show); `portability` exports and imports a group, and reads the `bundles`
of other programs; `roles` gathers what the record of a role says. The floor may import `recall`,
`domain`, `gateway`, `core`, `rules` and the leaves.
"""
