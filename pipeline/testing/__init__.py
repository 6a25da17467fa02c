"""Fakes good enough to ship: a clock you set, servers that fail on request, processes to kill."""
