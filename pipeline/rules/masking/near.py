"""What may be a key or a recovery phrase with a slip in it, where a short name is expected.

In prose 63 digits are a hash, and eleven words a sentence. Where a name or an address is asked for
they are more often a secret in the wrong place: they are refused there, and repeated nowhere.
"""

import re
from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.mask import mask

_SIGNS: Final = expression(r"^0x|[\s'\"_,:-]+", re.IGNORECASE)
_OTHER: Final = expression(r"[^0-9a-f]", re.IGNORECASE)
_FEWEST_DIGITS: Final = 48
"""Well above the 40 of an address, and below the 64 of a key that lost some."""

_MOST_SLIPS: Final = 2
_LABEL: Final = "recovery phrase: "
_FEWEST_WORDS: Final = 8


def is_near_secret(text: str) -> bool:
    """Tell whether a text may be a private key or a recovery phrase, also one with slips.

    A name of a file with a suffix is none, however many digits it has.
    """
    bare = _SIGNS.sub("", text)
    is_long = len(bare) >= _FEWEST_DIGITS and "." not in bare
    if is_long and len(_OTHER.findall(bare)) <= _MOST_SLIPS:
        return True
    is_sentence = len(text.split()) >= _FEWEST_WORDS
    return mask(text) != text or (is_sentence and mask(_LABEL + text) != _LABEL + text)
