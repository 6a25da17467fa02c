"""Run many replays of one plan, and set their figures side by side.

Reading order: `plan` (cells), `figures` (of one replay), `cell` (run one anywhere), `engine`
(processes, or a cluster), `walk_forward` (choose by the past, judge by what follows), `sweep` (all
of it).
"""
