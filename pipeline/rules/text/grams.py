"""Words for the index out of scripts that write none: neighbouring characters, two by two."""

import re
from typing import Final

# Thai to Tibetan, Myanmar, Khmer, kana, Han, Hangul, and the supplementary Han planes.
# The same ranges stand in the migration 0005_lineage.sql, which reads older files by them.
UNSPACED: Final = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def grams(text: str) -> str:
    """Return the pairs of neighbouring characters of unspaced scripts, separated by spaces.

    Each run ends with its last character alone, so that any single character begins some gram: it
    is found by its prefix.

    Returns:
        `山寨 寨币 币` for 山寨币; empty for a text without such a script.
    """
    if text.isascii():
        return ""
    return " ".join(run[at : at + 2] for run in UNSPACED.findall(text) for at in range(len(run)))
