"""Tool argument types: the JSON schema for the model, and validation for every caller."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import cache
from inspect import Parameter, getdoc, signature
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

from afterword.pipeline.domain.memory.checks import (
    MAX_CONTENT,
    MAX_TAG,
    MAX_TAGS,
    MAX_TYPED_CONTENT,
    short_repr,
)
from afterword.pipeline.domain.memory.model import CATEGORIES, TYPES
from afterword.pipeline.domain.memory.read import MAX_READ
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.recall.search.model import MAX_HITS, MAX_QUERY
from afterword.pipeline.rules.masking import told
from afterword.pipeline.type_words import wanted

if TYPE_CHECKING:  # loaded when the first tool is called: an agent's start does not wait for it
    from pydantic import BaseModel, GetJsonSchemaHandler
    from pydantic_core import CoreSchema


class ArgumentSchema:
    """The description and keywords of one argument in the JSON schema of a tool.

    pydantic asks for them by a method, so this module does not load pydantic.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema

    def __get_pydantic_json_schema__(
        self, core: "CoreSchema", handler: "GetJsonSchemaHandler"
    ) -> dict[str, Any]:
        """Return the schema of the argument's type with the description and keywords."""
        return handler(core) | self._schema


def described(description: str, **schema: Any) -> ArgumentSchema:
    """Return the description and schema keywords of an argument; the domain checks the value."""
    return ArgumentSchema({"description": description} | schema)


Type = Annotated[str, described("The kind of entry.", enum=list(TYPES))]
Category = Annotated[str, described("The kind of memory.", enum=list(CATEGORIES))]
Content = Annotated[str, described("One insight, in plain words.", maxLength=MAX_CONTENT)]
EntryContent = Annotated[
    str, described("One insight, in plain words.", maxLength=MAX_TYPED_CONTENT)
]
Query = Annotated[str, described("What to look for; empty for the newest.", maxLength=MAX_QUERY)]
Tag = Annotated[str, described("A word to find it by.", maxLength=MAX_TAG)]
Limit = Annotated[int, described("How many at most.", minimum=1, maximum=MAX_HITS)]
ReadLimit = Annotated[int, described("How many at most.", minimum=1, maximum=MAX_READ)]
RoleId = Annotated[str, described("The role, by its id, such as market.spot.momentum.")]
MOST_TAGS: Final = {"maxItems": MAX_TAGS}


def check(
    tool: Callable[..., Any], given: Mapping[str, Any], hidden: Set[str] = frozenset()
) -> None:
    """Refuse arguments that a tool does not accept; none is converted.

    Args:
        given: the arguments by name.
        hidden: names this caller may not use.

    Raises:
        InvalidInputError: an unknown argument, one missing or of a wrong type.
    """
    from pydantic import ValidationError

    try:
        form(tool, frozenset(hidden)).model_validate(given)
    except ValidationError as error:
        found = error.errors(include_url=False)
    else:
        return
    first = found[0]
    # Of a union pydantic tells an error a type, each under the type's name: they are one place.
    place = _place(first["loc"])
    name, known = tool.__name__, ", ".join(form(tool, frozenset(hidden)).model_fields)
    if first["type"] == "extra_forbidden":
        raise InvalidInputError(short_repr(place), f"is not an argument of {name}", known)
    if first["type"] == "missing":
        raise InvalidInputError(place, "is missing", f"the arguments of {name}: {known}")
    right = [wanted(one) for one in found if _place(one["loc"]) == place]
    if None in right:
        raise InvalidInputError(place, first["msg"], f"the arguments of {name}: {known}")
    accepted = " or ".join(dict.fromkeys(str(one) for one in right))
    problem = f"{short_repr(first['input'])} is not {accepted}"
    raise InvalidInputError(place, problem, accepted)


@contextmanager
def masking_refusals(*given: Any) -> Iterator[None]:
    """Mask what a refusal repeats of the arguments; a host logs it, a model reads it.

    Args:
        given: texts, and lists and objects of them.
    """
    try:
        yield
    except PipelineError as refusal:
        texts = list(_texts(given))
        refusal.reword(lambda words: told(words, texts))
        raise


def _texts(given: Any) -> Iterator[str]:
    """Yield the texts in a value, with the names of its fields."""
    places = [given]
    while places:
        match places.pop():
            case str() as text:
                yield text
            case Mapping() as named:
                places += [*named, *named.values()]
            case list() | tuple() as several:
                places += several


def _place(location: Sequence[int | str]) -> str:
    """Return the argument and the number of an item in it, without the names of types."""
    if not location:
        return "arguments"
    argument, *inside = location
    return ".".join([str(argument), *(str(part) for part in inside if isinstance(part, int))])


@cache
def form(tool: Callable[..., Any], hidden: frozenset[str]) -> "type[BaseModel]":
    """Return the pydantic model of a tool's arguments, described by its docstring's first line."""
    from pydantic import ConfigDict, create_model

    hints = get_type_hints(tool, include_extras=True)
    _door, *taken = signature(tool).parameters.items()
    fields: dict[str, Any] = {
        name: (hints[name], ... if one.default is Parameter.empty else one.default)
        for name, one in taken
        if name not in hidden
    }
    return create_model(
        tool.__name__,
        __config__=ConfigDict(extra="forbid", strict=True),
        __doc__=(getdoc(tool) or "").partition("\n")[0],
        **fields,
    )
