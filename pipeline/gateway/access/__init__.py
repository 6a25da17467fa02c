"""Who may call the network door: tokens, told once and kept as digests.

Reading order: `model` (a token and its role), `tokens` (issue, find, list and revoke), `known`
(those that called lately), `rows`, `area`.
"""
