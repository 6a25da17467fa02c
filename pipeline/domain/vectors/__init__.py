"""Vectors of memories and decisions, and the models that made them."""
