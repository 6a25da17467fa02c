"""The accounts at venues whose trades are mirrored: who they are, and what the venue says of them.

Reading order: `area` (what the room declares), `model`, `checks` (names and addresses), `ask` (what
the venue knows of an address), `known_role` (whether it can hold trades), `rows`, `one_name` (one
address, one name), then the verbs `add`, `add_exchange`, `pause`, `remove` and `read`, and `nudge`
(asks for a mirror).
"""
