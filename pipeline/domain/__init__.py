"""Floor of the areas: one room per noun, with its tables, rules and verbs.

Only a room's own verbs write its rows; each says in its `lineage` what they come from, in the types
of the room `lineage`. Rooms: `memory`, `facts`, `edges`, `vectors` and `sessions` (what an agent
remembers, and when); `clients` (what programs do over the network); `workspace` (what its files
say); `prices`, `documents`, `layouts`, `venues`, `exports`, `accounts`, `fills`, `funding`,
`transfers`, `balances`, `spot`, `trips`, `recorded_trades`, `history`, `sync`, `reconciliation`,
`capital` and `strategies` (what traded, at which price, whether it adds up, and what there is);
`skills`, `decisions`, `outcomes` and `reflection` (what a role decided, and what came of it);
`patterns`, `methodologies`, `cases`, `institution`, `trades`, `synthesis` and `audit` (what is
learned from it); `profile` (who the user is), `preferences` (what is learned of it), `statements`
(what users say of themselves in chats) and `rebuilds` (which writes what is concluded of it). In
which order they import each other is written in `pyproject.toml` alone, as the contract "inside
domain". The floor may import `gateway`, `core`, `rules` and the leaves.
"""
