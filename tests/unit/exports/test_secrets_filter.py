"""What a row is searched for is found in every text that holds it, however fast the others go."""

from hypothesis import example, given
from hypothesis import strategies as st

from afterword.pipeline.domain.fills import secrets

PATTERNS = (secrets._WORD, secrets._LONG, secrets._HEX, secrets._PHRASE)

PIECES = st.sampled_from(
    (
        *(" ", ",", ", ", ":", '"', "0", "0x", "7", "f", "g", "Z", "_", "=", "/", "é", "\n"),
        *("abc", "wallet", "zebra", "AKIA", "asia", "9" * 16, "a" * 19, "g" * 20, "ab" * 32),
    )
)


@given(st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=80))
@example("wallet zebra army oven lift ")
@example("AKIA" + "0123456789ABCDEF")
@example("x" + "1" * 19)
@example("1" * 19 + "x")
def test_no_text_that_a_pattern_finds_is_left_out(text: str):
    found = any(pattern.search(text.lower()) for pattern in PATTERNS)

    assert secrets._is_suspect(text) is found
