"""Ask a model to fill in a form: one call for every asker of the domain."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

from afterword.pipeline.gateway.llm.model import (
    Filled,
    Llm,
    LlmAnswer,
    Question,
    UnusableAnswerError,
)
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line


@dataclass(frozen=True, slots=True)
class FormTask(Generic[Filled]):
    """What a model is asked, whatever the material; a constant beside its asker.

    Args:
        name: a stable word such as `classify_entry`: its switch, and its entries in the budget.
        system: the instruction, written by us only.
        form: the form the model must fill in.
    """

    name: str
    system: str
    form: type[Filled]


def ask_form(
    llm: Llm,
    task: FormTask[Filled],
    material: Mapping[str, Any] | str,
    *,
    group: str,
    occasion: str,
) -> LlmAnswer[Filled]:
    """Return the form as the model filled it in (see `Llm.ask` for the errors).

    Args:
        material: sent as JSON, so that no text in it ends its own quotation; or a text that is sent
            as it is, and is already safe for a prompt. Texts are masked by the caller.
        group: the group that pays.
        occasion: what is asked about, such as the uid of the decision; a cassette stores it.
    """
    if isinstance(material, str):
        text = material
    else:
        text = json.dumps(material, ensure_ascii=False, indent=1)
    return llm.ask(Question(task.name, group, task.system, text, task.form, occasion=occasion))


def visible_line(text: str, most: int, model: str) -> str:
    """Return a text that a model filled in, as one masked line.

    Args:
        most: length limit; characters.
        model: its name.

    Raises:
        UnusableAnswerError: the line has no visible character.
    """
    line = one_line(mask(text), most)
    if not line:
        raise UnusableAnswerError(f"{model} filled in no visible text; try again later")
    return line
