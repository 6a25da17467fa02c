"""Requests to external services: one deadline, clear errors, and a circuit breaker.

Reading order: `model` (services and their errors), `address` (check address and key), `wire` (one
POST) over `deadline` (its sockets), `status` (the error for a status), `circuit` (the rules of a
circuit), `breaker` (the circuit around each request), `rows`, `gates` (budgets and circuits that
jobs wait for), `area` (what the room declares).
"""
