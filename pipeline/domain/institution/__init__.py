"""Runs of an institution: several roles report, one decides; later windows say how it came out.

A run is captured with the decision it led to. That decision is an ordinary one of role memory: it
is measured once, and its citations vote once. Reading order: `model` (a run, its outputs, its
answers), `forms` (what each role fills in, as the schema of a forced tool), `reply` (the tool call
of a Messages API reply), `given` (a run as JSON), `desk` (the role of its decision), `checks` (a
run as it may be kept), `capture` (keep it, with its decision and its jobs), `ladder` (the four
questions, answered from outcomes), `reflect` (answer what is due), `notes` (what a person says of a
run), `read`, `rows` and `reflection_rows` (the SQL), `lineage`, `metrics`, `area`.
"""
