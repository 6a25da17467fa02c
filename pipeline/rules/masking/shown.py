"""Show a text in an error, or an error in a log, without its secrets."""

import traceback
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from afterword.pipeline.rules.masking.fields import mask_json
from afterword.pipeline.rules.masking.finding import marker
from afterword.pipeline.rules.masking.mask import mask
from afterword.pipeline.rules.masking.scan import findings

_READ: Final = 4_000
"""Characters that are searched for secrets; a cell can hold megabytes."""

_LONGEST_TRACE: Final = 20_000
"""Characters of a traceback, from its end, that are shown."""

_LEAST: Final = 8
"""Characters by which the beginning of a secret is known again."""


def shown(text: str, most: int = 60, *, label: str = "") -> str:
    """Return a text as an error may repeat it: masked, then cut, then quoted in ASCII.

    Cut first, a secret would keep its beginning and no longer be known as one.

    Args:
        most: characters that are repeated; count.
        label: name of its column, which can tell that the text is a secret.
    """
    (masked,) = mask_json({label: text[:_READ]}).values()
    return ascii(masked[:most])


def told(message: str, given: Iterable[str] = ()) -> str:
    """Return the message of an error as a caller may read it: without the secrets they gave.

    A message often repeats the beginning of a wrong value only, where a secret is no longer known
    as one, so the beginnings of the secrets in what was given are masked too.

    Args:
        given: the texts the caller gave, which the message may repeat.
    """
    for text in given:
        for secret in findings(text[:_READ]):
            message = _without(message, text[secret.start : secret.end], marker(secret.kind))
    return mask(message)


def trace(error: BaseException, given: Iterable[str] = ()) -> str:
    """Return the end of an error's traceback as a log may keep it: without secrets.

    Args:
        given: as of `told`.
    """
    return told("".join(traceback.format_exception(error))[-_LONGEST_TRACE:], given)


def _without(message: str, secret: str, marked: str) -> str:
    """Replace a secret and its beginnings, as they are or with their escapes."""
    for written in {secret, ascii(secret)[1:-1]}:
        start = message.find(written[:_LEAST])
        while start >= 0:
            pairs = zip(written, message[start:], strict=False)
            equal = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            message = message[:start] + marked + message[start + equal :]
            start = message.find(written[:_LEAST], start + len(marked))
    return message
