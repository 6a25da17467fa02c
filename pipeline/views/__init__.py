"""Floor of what an answer says: a value of the domain becomes a view, once for every medium.

A view is a tree of a few kinds of block, and `doors/render` writes it as text, as a page or as
markdown. Nothing here prints, and nothing here knows a terminal or HTML. JSON is the value itself.

Reading order: `blocks` (what a view is made of), `numbers` and `words` (values as short words),
`flagged` (what a flag means); then one noun after the other, its sentences before its view:
`roles`, `outcome_words`, `decision` and `reflection` (decisions, and what became of them),
`role_words`, `role_summary` and `role_pattern` (the record of a role), `skill_trial`; `methods`,
`method_story`, `cases`, `synthesis` and `audit` (methods, and the health of the loop);
`trades_words`, `trades_statistics`, `costs_words` and `open_words` (what trades came to),
`learn_trades`, `learn_cells`, `learn_sums` and `learn_report` (the report on them),
`trades`, `trading_profile`, `history`, `history_import` and `prices` (what is kept);
`replay_words`, `replay_equity`, `replay_method_words`, `replay_methods`, `replay_folds`,
`replay_loop` and `replay_report` (what came of a replay), `replay_run`, `replay_compare`,
`replay_sweep`, `replay_probe`, `replay_arms` and `replay_ablate` (what is said beside); `memory`,
`search`, `entries`, `facts`, `profile`, `sessions`, `edges` and `prompts` (what is remembered, and
what an agent is shown); `job_words`, `jobs`, `budget`, `budget_simulation`, `llm` and `switches`
(what operators watch); `config`, `doctor`, `store` and `forget` (the installation and its files).
What `workers` and `schedules` say of their own values is a view beside the value.
"""
