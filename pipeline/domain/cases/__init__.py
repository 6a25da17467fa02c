"""Cases: decisions that cite methodologies, the hints they were shown, and what came of them.

Reading order: `model` (a case and its citations), `area` (what the room declares).
"""
