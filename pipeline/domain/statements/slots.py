"""What a statement gives one value: of two such statements the later one counts."""

from typing import Final

from afterword.pipeline.expression import expression

_SLOT: Final = expression(
    r"(?i)^(?:(?:and|but|also|please note|note|remember)[,:]?\s+(?:that\s+)?)?"
    r"(?:(?:my|our|the user's|user's"
    r"|the users')\s+(?P<en>(?:[\w'/-]+\s+){0,4}[\w'/-]+?)\s+(?:is|are|must|should)\b"
    r"|mein\w*\s+(?P<de>(?:[\w-]+\s+){0,3}[\w-]+?)\s+(?:ist|beträgt|liegt)\b"
    r"|mi\s+(?P<es>(?:[\w-]+\s+){0,4}[\w-]+?)\s+es\b"
    r"|(?:meu|minha)\s+(?P<pt>(?:[\w-]+\s+){0,4}[\w-]+?)\s+é(?=\s)"
    r"|(?:mon|ma)\s+(?P<fr>(?:[\w-]+\s+){0,4}[\w-]+?)\s+est\b"
    r"|我的(?P<zh>[^，。,是为為\s]{1,12})(?:是|为|為))"
)
_SEVERAL: Final = frozenset({"goal", "fact"})
"""Kinds of which a user has many at once; facts have a layer that compares them."""


def slot_of(text: str, kind: str) -> str | None:
    """Return the name of the single value that a statement gives, such as `maximum leverage`.

    None for what may stand beside another statement with the same beginning.
    """
    match = None if kind in _SEVERAL else _SLOT.match(text)
    if match is None or match.lastgroup is None:
        return None
    return " ".join(match[match.lastgroup].casefold().split())
