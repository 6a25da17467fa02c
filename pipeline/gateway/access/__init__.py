"""Who may call the network door: tokens, told once and kept as digests.

Reading order: `model` (a token and its role), `tokens` (issue, find, list and revoke), `rows`,
`area`.
"""
