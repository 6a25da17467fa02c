"""What users durably say of themselves in chats becomes memories (R3's `rebuildMemories`, R1).

Preferences, profile, constraints and goals become personalization memories with the source
inferred; what the user has becomes a fact of the facts layer, with the source chat_extracted.
Reading order: `model`, `batch` (the turns of a run), `by_rules`, `by_model` with `answer_form`
(what the model fills in) and `check` (what is taken of it), `slots`, `known` (what is remembered
already, or was deleted), `keep` (writes), `lineage`, `area`, `rows` (the SQL). `rebuilds.memories`
runs it.
"""
