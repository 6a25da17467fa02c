"""Find statements by rules: without a model, in the user's own words."""

from collections import Counter
from typing import Final

from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.statements.model import (
    SAYS,
    ChatReading,
    FoundStatement,
    TurnBatch,
)
from afterword.pipeline.rules.statements.find import statements_in

MASKED: Final = "[masked:"
"""How the marker of a secret begins: a statement about one is not worth a line of each prompt."""


def read_by_rules(batch: TurnBatch) -> ChatReading:
    """Return the statements of the turns, each a sentence as it was written.

    Of a message that gives orders nothing is taken: somebody else may have written all of it.
    """
    found: list[FoundStatement] = []
    refused = Counter(batch.refused)
    for turn in batch.turns:
        text = batch.texts.get(turn.id)
        if text is None:
            continue
        scan = statements_in(text)
        refused.update(scan.refused)
        if scan.statements and families_of(text):
            refused["order"] += len(scan.statements)
            continue
        for statement in scan.statements:
            if MASKED in statement.text:
                refused["secret"] += 1
                continue
            words = SAYS + statement.text
            found.append(FoundStatement(turn, words, statement.kind, statement.quote))
    return ChatReading(tuple(found), dict(refused))
