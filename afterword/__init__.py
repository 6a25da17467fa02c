"""The memory of trading agents, and the worker pipeline behind it."""
