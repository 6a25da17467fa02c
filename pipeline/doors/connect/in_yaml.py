"""Entries in YAML: the parser says where they stand, and the text is cut there."""

from collections.abc import Sequence
from typing import Any, Final

import yaml

from afterword.pipeline.doors.connect.config_entry import ConfigFormat, TextSplice


class _Yaml:
    """YAML files with block style, as people write them; values are plain words."""

    def parse(self, text: str) -> Any:
        """Return what the file says."""
        try:
            return yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise ValueError(str(error)) from None

    def whole(self, keys: Sequence[str], value: Any) -> str:
        """Return a file with this entry alone."""
        return _block(keys, value, 0, "\n")

    def insertion(self, text: str, keys: Sequence[str], value: Any) -> TextSplice | None:
        """Put the entry first into the innermost mapping that exists, else at the end."""
        newline = "\r\n" if "\r\n" in text else "\n"
        node, rest = _descend(_root(text), keys)
        if node is None:
            start = "" if text.endswith(newline) else newline
            return TextSplice(len(text), "", start + _block(keys, value, 0, newline))
        if not isinstance(node, yaml.MappingNode):  # a key without a value
            begin, end = node.start_mark.index, node.end_mark.index
            if not rest:
                space = "" if begin < end else " "
                return TextSplice(begin, text[begin:end], space + _scalar(value))
            at = text.find("\n", begin) + 1
            start = "" if at else newline
            below = _block(rest, value, 2 * (len(keys) - len(rest)), newline)
            return TextSplice(at or len(text), "", start + below)
        if node.flow_style or not node.value:
            at = node.start_mark.index + 1
            if len(rest) > 1:
                return None
            comma = ", " if node.value else ""
            return TextSplice(at, "", f"{rest[0]}: {_scalar(value)}{comma}")
        if len(rest) == len(keys):
            start = "" if text.endswith(newline) else newline
            return TextSplice(len(text), "", start + _block(keys, value, 0, newline))
        first = node.value[0][0].start_mark
        at = first.index - first.column
        return TextSplice(at, "", _block(rest, value, first.column, newline))

    def deletion(self, text: str, keys: Sequence[str]) -> TextSplice | None:
        """Take out the line of the entry."""
        node, rest = _descend(_root(text), keys[:-1])
        if rest or not isinstance(node, yaml.MappingNode):
            return None
        for key, value in node.value:
            if key.value == keys[-1] and key.start_mark.line == value.end_mark.line:
                start = key.start_mark.index - key.start_mark.column
                end = text.find("\n", value.end_mark.index) + 1 or len(text)
                return TextSplice(start, text[start:end], "")
        return None


YAML_CONFIG: Final[ConfigFormat] = _Yaml()
"""The format of `config.yaml`."""


def _root(text: str) -> yaml.Node | None:
    root: yaml.Node | None = yaml.compose(text, yaml.SafeLoader)
    return root


def _descend(node: yaml.Node | None, keys: Sequence[str]) -> tuple[yaml.Node | None, Sequence[str]]:
    """Return the innermost node on the way to an entry, and the names that are left."""
    for number, name in enumerate(keys):
        below = None
        if isinstance(node, yaml.MappingNode):
            below = next((value for key, value in node.value if key.value == name), None)
        if below is None:
            return node, keys[number:]
        node = below
    return node, ()


def _block(keys: Sequence[str], value: Any, indent: int, newline: str) -> str:
    lines = [f"{' ' * (indent + 2 * number)}{key}:" for number, key in enumerate(keys)]
    return newline.join(lines) + f" {_scalar(value)}{newline}"


def _scalar(value: Any) -> str:
    return yaml.safe_dump(value, default_flow_style=True).removesuffix("...\n").strip()
