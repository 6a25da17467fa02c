"""When strategies ran, and what each run brought: for the agent's reasoning, in no portrait.

Reading order: `area` (what the room declares), `model`, `checks`, `rows`, `profit` (what a run
brought), then the verbs `runs` (start and stop), `reconcile` (close what ended elsewhere) and
`read`.
"""
