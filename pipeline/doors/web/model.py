"""What a page shows and what its forms send: plain values, which the frame writes as HTML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from afterword.pipeline.errors import ConflictError
from afterword.pipeline.views.blocks import View

FieldType = Literal["text", "textarea", "number", "date", "month", "select", "checkbox"]


@dataclass(frozen=True, slots=True)
class PageField:
    """One field of a form or of the filters of a page.

    Args:
        name: of the argument of the handler.
        label: above it.
        value: what it shows at first.
        choices: the values of a `select`, each with its words.
        most: characters at most; None for no limit of its own.
        hint: below it: what is accepted.
    """

    name: str
    label: str
    type: FieldType = "text"
    value: str = ""
    choices: Sequence[tuple[str, str]] = ()
    is_required: bool = False
    most: int | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class PageForm:
    """A form that does something; only callers of its action see it.

    Args:
        action: path of its `AreaAction`, with its parts filled in.
        button: what it does, as a verb.
        hidden: arguments that its reader does not choose, such as the state it was shown with.
        note: above its fields.
        summary: folds it under these words; empty shows it open.
        is_grave: whether it takes something away, so that it looks like it.
    """

    action: str
    button: str
    fields: Sequence[PageField] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    summary: str = ""
    is_grave: bool = False


@dataclass(frozen=True, slots=True)
class PageContent:
    """What stands on a page, below its navigation.

    Args:
        parts: views and forms, one below the other; while the page is visible its views change
            with the data.
        title: instead of the declared one.
        filters: fields that choose what the views show; the address keeps them.
        status: of the answer.
    """

    parts: Sequence[View | PageForm]
    title: str = ""
    filters: Sequence[PageField] = ()
    status: int = 200


@dataclass(frozen=True, slots=True)
class ActionAnswer:
    """What an action did.

    Args:
        view: says it.
        to: path of the page that is shown next.
    """

    view: View
    to: str


def check_unchanged(shown: str, present: str, thing: str) -> None:
    """Refuse to act on a thing that is not what its page showed; call it where the write is.

    Args:
        shown: its state on the page, which a hidden field of the form brings back.
        present: its state now.
        thing: what it is, such as `job 7`.

    Raises:
        ConflictError: it changed meanwhile.
    """
    if shown != present:
        raise ConflictError(
            f"{thing} was {shown} when the page showed it, and is {present} now; nothing was done"
        )
