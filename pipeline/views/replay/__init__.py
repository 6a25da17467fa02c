"""Views of replays.

Reading order: `words`, `equity`, `method_words`, `methods`, `folds`, `loop` and `report` (what came
of a replay), `run`, `compare`, `sweep`, `probe`, `arms` and `ablate` (what is said beside).
"""
