"""Who may call the network door: tokens, told once and kept as digests, and browsers.

Reading order: `model` (a token and its role, a browser), `tokens` (issue, find, list and revoke),
`known` (those that called lately), `rows`, `pages` (links and sessions of browsers, and what was
done in them), `page_rows`, `area`.
"""
