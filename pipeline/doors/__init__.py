"""Doors: each reads a request, calls one verb below and prints or returns its answer."""
