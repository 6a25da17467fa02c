"""Search terms for scripts without spaces: pairs of neighbouring characters."""

from typing import Final

from afterword.pipeline.expression import expression

# Thai to Tibetan, Myanmar, Khmer, kana, Han, Hangul, and the supplementary Han planes.
# The migration 0005_lineage.sql has the same ranges, to index older files.
UNSPACED: Final = expression(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def grams(text: str) -> str:
    """Return the pairs of neighbouring characters of scripts without spaces, separated by spaces.

    The last character of each run is added alone, so that a prefix search finds every single
    character.

    Returns:
        `山寨 寨币 币` for 山寨币; empty for a text without such a script.
    """
    if text.isascii():
        return ""
    return " ".join(run[at : at + 2] for run in UNSPACED.findall(text) for at in range(len(run)))
