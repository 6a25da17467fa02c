"""Connect a client, such as Hermes, with one command: show, write, check and remove.

Reading order: `model` (what a client declares, and what an edit of its files can do), `connect`
(the verbs over the edits of a client), `record` (what was written, so that only that is removed),
the edits: `own_file` (a file of ours), `token_file` (a token where the client reads it),
`config_entry` (one entry in a file of the user's) and `token_entry` (one with a token) in the
formats `in_yaml` and `in_json`; `clients` (their names), a file for each: `hermes` with its plugin
`hermes_plugin`, `openclaw`, `any_mcp`, `mcp_file`; `check` (whether it works); `area`.

`openclaw_plugin` and `openclaw_slot` are the plugins of OpenClaw, in JavaScript.
"""
