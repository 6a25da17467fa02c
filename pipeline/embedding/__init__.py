"""Texts into vectors, at a price.

Reading order: `model` (the protocol and its values), `openai` (one request, one deadline),
`status` and `reply` (what came back, believed or refused), `metered` (no request without a
reservation), `build` (the one the settings ask for).
"""
