"""Texts into vectors, at a price.

Reading order: `model` (the protocols), `openai` (one request), `reply` (what came back, believed or
refused), `local` (a model in this process), `metered` (no request without a reservation, none while
the service is away), `build` (the one the settings ask for).
"""
