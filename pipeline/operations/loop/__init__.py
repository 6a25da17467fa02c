"""The learning loop: its steps once, for whoever drives it.

measure → answer runs → reflect → weigh → word → mine preferences → synthesize → audit

Reading order: `model` (a step, what steps work with, the order of all), the steps `measure`,
`institution`, `reflect`, `patterns`, `preferences` and `methodologies`, `has_work` (when the
schedule starts their jobs), `progress` (how far a step is, for a person), `reflect_now` with
`reflect_now_rows` (the driver of a person). The others are `afterword.workers.actors.learning` (a
job for each step) and `afterword.pipeline.operations.replay.loop` (a pass of a replay).
"""
