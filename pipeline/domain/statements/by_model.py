"""Find statements with a model; what it says is checked against the user's words."""

import json
from collections import Counter
from typing import Any

from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.statements.answer_form import (
    INSTRUCTION,
    MOST_ANSWER_TOKENS,
    READ_CHATS_TASK,
    ChatAnswer,
)
from afterword.pipeline.domain.statements.check import why_not_taken
from afterword.pipeline.domain.statements.model import (
    ChatReading,
    FoundStatement,
    TurnBatch,
)
from afterword.pipeline.gateway.llm import Llm, Question
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line


def read_by_model(batch: TurnBatch, llm: Llm, group: str) -> ChatReading:
    """Return the statements that a model finds and that pass the check; see `Llm.ask` for errors.

    Texts that give orders are not shown to it. Nothing is asked where nothing is left.
    """
    refused = Counter(batch.refused)
    shown = []
    for turn in batch.turns:
        if turn.id not in batch.texts:
            continue
        if families_of(batch.texts[turn.id]):
            refused["order"] += 1
        else:
            shown.append(turn)
    if not shown:
        return ChatReading(refused=dict(refused))
    texts = {number: batch.texts[turn.id] for number, turn in enumerate(shown, 1)}
    answer = llm.ask(_question(texts, group, f"{batch.turns[0].place}-{batch.read_to}"))
    found = []
    for item in answer.value.statements:
        reason = why_not_taken(item, texts.get(item.turn))
        if reason is not None:
            refused[reason] += 1
            continue
        turn, words = shown[item.turn - 1], one_line(mask(item.memory))
        found.append(FoundStatement(turn, words, item.kind, one_line(item.quote), answer.model))
    return ChatReading(tuple(found), dict(refused))


def _question(texts: dict[int, str], group: str, occasion: str) -> Question[ChatAnswer]:
    turns: list[dict[str, Any]] = [{"turn": number, "text": text} for number, text in texts.items()]
    material = json.dumps({"turns": turns}, ensure_ascii=False, indent=1)
    return Question(
        READ_CHATS_TASK,
        group,
        INSTRUCTION,
        material,
        ChatAnswer,
        max_output_tokens=MOST_ANSWER_TOKENS,
        occasion=occasion,
    )
