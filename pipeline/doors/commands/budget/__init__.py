"""`afterword budget`: what models cost, and a stop to all spending.

Reading order: `spending` (caps, reservations, stop and resume), `simulate`, `app` (the group).
"""
