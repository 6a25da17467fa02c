"""Tool argument types: the JSON schema for the model, and validation for every caller."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import cache
from inspect import Parameter, getdoc, signature
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from afterword.pipeline.domain.memory.checks import (
    MAX_CONTENT,
    MAX_TAG_CHARS,
    MAX_TAGS,
    MAX_TYPED_CONTENT,
    short_repr,
)
from afterword.pipeline.domain.memory.model import MEMORY_CATEGORIES, TYPES
from afterword.pipeline.domain.memory.read import MAX_MEMORIES_READ
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
Category = Annotated[str, described("The kind of memory.", enum=list(MEMORY_CATEGORIES))]
Content = Annotated[str, described("One insight, in plain words.", maxLength=MAX_CONTENT)]
EntryContent = Annotated[
    str, described("One insight, in plain words.", maxLength=MAX_TYPED_CONTENT)
]
Query = Annotated[str, described("What to look for; empty for the newest.", maxLength=MAX_QUERY)]
Tag = Annotated[str, described("A word to find it by.", maxLength=MAX_TAG_CHARS)]
Limit = Annotated[int, described("How many at most.", minimum=1, maximum=MAX_HITS)]
ReadLimit = Annotated[int, described("How many at most.", minimum=1, maximum=MAX_MEMORIES_READ)]
RoleId = Annotated[str, described("The role, by its id, such as market.spot.momentum.")]
MOST_TAGS: Final = {"maxItems": MAX_TAGS}

MAX_ITEMS: Final = 1_000
"""Items of a list, before each is looked at: more than any tool accepts."""

MAX_JSON: Final = 1 << 20
"""Characters of an object that is sent as its JSON text: more than any tool accepts."""

_WHOLE: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?", re.ASCII)
_TRUTH: Final = {"true": True, "false": False}


def as_meant(
    tool: Callable[..., Any], given: Mapping[str, Any], hidden: Set[str] = frozenset()
) -> dict[str, Any]:
    """Return the arguments of a client as they are meant, where there is no doubt.

    Clients send null for what they leave out, numbers as text or with a decimal point, and lists
    and objects as their JSON text. All else stays as it is, for `check` to refuse.

    Args:
        given: the arguments by name.
        hidden: names this caller may not use.
    """
    parameters, kinds = signature(tool).parameters, _kinds(tool)
    meant = {}
    for name, value in given.items():
        if name not in kinds or name in hidden:
            meant[name] = value
        elif value is not None:
            meant[name] = _as_kind(kinds[name], value)
        elif parameters[name].default is Parameter.empty:
            meant[name] = value
    return meant


def _as_kind(kind: type | None, value: Any) -> Any:
    """Return a value as one of a kind, if it plainly is one."""
    if kind is int and isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if not isinstance(value, str):
        return value
    if kind is int and _WHOLE.fullmatch(value):
        return int(value)
    if kind is float and _NUMBER.fullmatch(value):
        return float(value)
    if kind is bool:
        return _TRUTH.get(value, value)
    if kind in (list, dict) and len(value) <= MAX_JSON:
        try:
            read = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return read if isinstance(read, kind) else value
    return value


@cache
def _kinds(tool: Callable[..., Any]) -> dict[str, type | None]:
    """Return the kind of each argument; None where text is as good as anything."""
    _door, *taken = signature(tool).parameters
    hints = get_type_hints(tool)
    return {name: _kind(hints[name]) for name in taken}


def _kind(hint: Any) -> type | None:
    origin = get_origin(hint) or hint
    if origin in (Union, UnionType):
        kinds = {_kind(part) for part in get_args(hint) if part is not type(None)}
        return kinds.pop() if len(kinds) == 1 else None
    if origin is Literal:
        return None
    if origin in (list, Sequence):
        return list
    return origin if origin in (int, float, bool, dict) else None


def check(
    tool: Callable[..., Any], given: Mapping[str, Any], hidden: Set[str] = frozenset()
) -> None:
    """Refuse arguments that a tool does not accept; none is converted (`as_meant` does that).

    Args:
        given: the arguments by name.
        hidden: names this caller may not use.

    Raises:
        InvalidInputError: an unknown argument, one missing or of a wrong type.
    """
    from pydantic import ValidationError

    wanted_form = form(tool, frozenset(hidden))
    name, known = tool.__name__, ", ".join(wanted_form.model_fields)
    # pydantic makes an error for each unknown name and each wrong item: a gigabyte for a million.
    for argument, value in given.items():
        if argument not in wanted_form.model_fields:
            raise InvalidInputError(short_repr(argument), f"is not an argument of {name}", known)
        if isinstance(value, list) and len(value) > MAX_ITEMS:
            raise InvalidInputError(argument, f"has {len(value)} items", f"up to {MAX_ITEMS}")
    try:
        wanted_form.model_validate(given)
    except ValidationError as error:
        problems = error.errors(include_url=False)
    else:
        return
    first = problems[0]
    # Of a union pydantic tells an error a type, each under the type's name: they are one place.
    place = _place(first["loc"])
    if first["type"] == "missing":
        raise InvalidInputError(place, "is missing", f"the arguments of {name}: {known}")
    right = [wanted(problem) for problem in problems if _place(problem["loc"]) == place]
    if None in right:
        raise InvalidInputError(place, first["msg"], f"the arguments of {name}: {known}")
    accepted = " or ".join(dict.fromkeys(map(str, right)))
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
    """Return the pydantic model of a tool's arguments, described as its docstring begins."""
    from pydantic import ConfigDict, create_model

    hints = get_type_hints(tool, include_extras=True)
    _door, *taken = signature(tool).parameters.items()
    fields: dict[str, Any] = {
        name: (hints[name], ... if argument.default is Parameter.empty else argument.default)
        for name, argument in taken
        if name not in hidden
    }
    return create_model(
        tool.__name__,
        __config__=ConfigDict(extra="forbid", strict=True),
        __doc__=(getdoc(tool) or "").partition("\n\n")[0].replace("\n", " "),
        **fields,
    )
