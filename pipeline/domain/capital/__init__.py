"""What the owner's accounts hold together: for the agent's reasoning, in no prompt and no portrait.

Reading order: `area` (what the room declares), `model`, `look` (both parts of an account), `rows`,
`parts` (what was told and what never was), `tiers` (the sum), `turn` (when it is due), then the
verbs `refresh` and `read`, and `nudge` (asks for a new one), `has_work` and `metrics`.
"""
