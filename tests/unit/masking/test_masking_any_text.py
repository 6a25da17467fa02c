"""Masking of any text: no error, stable after one call, linear time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.rules.masking import findings, mask
from afterword.pipeline.rules.masking.finding import MARKER
from tests.corpora.secrets import Maker, must, stay

PIECES = st.sampled_from(
    [
        *(one.text for one in must()),
        *(text for _, text in stay()),
        *("password", "api_key", "密码", "Bearer ", "=", ": ", '"', "\\", "\\n", "'", "[masked:"),
        *(
            "[masked:password]",
            "]",
            "[masked:a][masked:b]",
            "://",
            "@",
            "private key ",
            "tx ",
            "0x",
            ",",
            " ",
            "\n",
            "İ",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "eyJ",
            "sk-",
            "1. ",
            "\ud800",
            "\u200b",
            "\u00ad",
            "\uff4b\uff45\uff59",
            "p\u0430ss",
        ),
        Maker().evm_hash(),
        *Maker(9).phrase(15).split(),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=12), max_size=12).map("".join)


@given(st.text() | TEXTS)
def test_masking_settles_and_stays_within_bounds(text: str):
    once = mask(text)

    assert mask(once) == once
    assert len(once) <= 10 * len(text)


@given(TEXTS)
def test_no_finding_starts_or_ends_inside_a_marker(text: str):
    inside = {at for marker in MARKER.finditer(text) for at in range(*marker.span())}

    assert [one for one in findings(text) if {one.start, one.end - 1} & inside] == []


SMALL, LARGE = 25_000, 100_000
UNITS = (
    *("a", " ", "\n", '"', "\\", "\\n", ",", ":", "_", "1,", "a.", "a_", "key", "=", "://a:b"),
    *("password=", 'password="', "password='password=\"", "api_key: ", "token=token", "key,key="),
    *(
        "secret key token ",
        "api key (",
        "api key for on of ",
        "Cookie: a=",
        "passphrase: aa bb cc ",
    ),
    *("sk-", "eyJ", "eyJ-", "eyJaaaaaaaaa.", "SG.", "xox", "1234567890:A", "a.atlasv1.", "-"),
    *("-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\nAbCd1+/x", "http://a:b@"),
    *("private key ", "import the my ", "0x" + "ab12" * 16 + " ", "[masked:x]", "[masked:"),
    *("zoo ", "word 1: ", "abandon, ability. ", "的 一 是 ", "的一是在不了有和人这中大", "密码是"),
    *("5KJvsngHeMpm884wtkJNzQGaCErckhHJBGFsvd3VyK5qMZXj3hS", "1" * 88 + " ", "255, "),
    *("a\u200b", "k\u0435y", "\uff4b", "пароль"),
    *("\\u003d", "%3D", "&#61;", "\ue000", "2FA: JBSW ", "jbsw y3dp ", "token_a1b2c3d4e5f6g7h8-"),
    *("live_", "the my is my our ", "a1b2c3d4e5f6g7h8i is the key ", "Das Passwort lautet "),
    Maker().wrong_phrase(24) + " ",
    Maker().phrase(12) + " ",
)


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_length_alone(unit: str):
    # Twice what is fair; with the square of the length it would be sixteen.
    assert seconds(unit, LARGE) < 2 * LARGE / SMALL * max(seconds(unit, SMALL), 0.005)


def seconds(unit: str, size: int) -> float:
    text = (unit * (size // len(unit) + 1))[:size]
    times = []
    for _ in range(3):
        started = time.process_time()
        mask(text)
        times.append(time.process_time() - started)
    return min(times)
