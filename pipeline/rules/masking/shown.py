"""Show a text of a file in an error."""

from typing import Final

from afterword.pipeline.rules.masking.fields import mask_json

_READ: Final = 4_000
"""Characters that are searched for secrets; a cell can hold megabytes."""


def shown(text: str, most: int = 60, *, label: str = "") -> str:
    """Return a text as an error may repeat it: masked, then cut, then quoted in ASCII.

    Cut first, a secret would keep its beginning and no longer be known as one.

    Args:
        most: characters that are repeated; count.
        label: name of its column, which can tell that the text is a secret.
    """
    (masked,) = mask_json({label: text[:_READ]}).values()
    return ascii(masked[:most])
