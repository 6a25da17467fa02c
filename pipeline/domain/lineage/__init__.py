"""What a thing that is remembered comes from: the types in which each room says it of its own rows.

Order: `model` is the only file.
"""
