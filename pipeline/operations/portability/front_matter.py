"""Write and read markdown files with front matter: YAML of which only plain values are read."""

import json
from collections.abc import Mapping
from typing import Any, Final

import yaml

from afterword.pipeline.errors import InvalidInputError

_FENCE: Final = "---\n"
_MOST_BYTES: Final = 65_536
_MOST_NODES: Final = 5_000
_MOST_DEPTH: Final = 12
_ACCEPTED: Final = "front matter between two lines of ---, then text"


def page_text(fields: Mapping[str, Any], body: str) -> str:
    """Return a markdown file; each field is JSON, which is YAML as well."""
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in fields.items()]
    return "".join([_FENCE, *lines, _FENCE, "\n", body.rstrip("\n"), "\n"])


def read_page(text: str, path: str) -> tuple[dict[str, Any], str]:
    """Return the fields and the body of a markdown file.

    Raises:
        InvalidInputError: it has no front matter; or that is too large or deep, names a node in
            order to repeat it (a small text could unfold to gigabytes), or has values of a type
            that JSON does not have.
    """
    head, fence, body = text.removeprefix(_FENCE).partition(f"\n{_FENCE}")
    if not text.startswith(_FENCE) or not fence:
        raise InvalidInputError(path, "has no front matter", _ACCEPTED)
    if len(head) > _MOST_BYTES:
        raise InvalidInputError(path, "has too much front matter", f"{_MOST_BYTES:,} characters")
    try:
        fields = yaml.load(head, _PlainLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = str(error).split("\n", 1)[0][:120]
        raise InvalidInputError(
            path, f"has front matter that is not read ({problem})", _ACCEPTED
        ) from None
    if not isinstance(fields, dict) or not all(isinstance(name, str) for name in fields):
        raise InvalidInputError(path, "has front matter that is no mapping", _ACCEPTED)
    return fields, body.strip("\n")


class _PlainLoader(yaml.SafeLoader):
    """A safe loader without anchors, aliases and tags, with bounds."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._nodes = self._depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise ValueError("it has an anchor or an alias")
        if getattr(event, "tag", None) is not None:
            raise ValueError("it has a tag")
        self._nodes += 1
        self._depth += 1
        if self._nodes > _MOST_NODES or self._depth > _MOST_DEPTH:
            raise ValueError("it has too many values, or too deep ones")
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        mapping = super().construct_mapping(node, deep)
        if len(mapping) != len(node.value):
            raise ValueError("it has a name twice")
        return mapping


# A moment would become a value of another type; it is text here, as JSON has it.
_PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
