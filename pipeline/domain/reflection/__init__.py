"""Reflection: a decision whose outcome is known is judged once and may leave a lesson."""
