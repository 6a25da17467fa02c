"""Fakes that ship with the product: clocks, faulty servers, and processes that a test kills.

A test imports the one it needs; nothing in `pipeline`, `workers` or `schedules` imports this
folder.
"""
