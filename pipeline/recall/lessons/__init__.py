"""Lessons of a role that fit a decision at hand."""
