"""Secrets in JSON values: field names are labels, and the structure stays."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from afterword.pipeline.rules.masking import fields, mask_json
from tests.corpora.secrets import Maker, must

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["api_key", "password", "from_key", "value", "note"]) | st.text(),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def test_the_name_of_a_field_is_a_label_of_its_value():
    found = mask_json(
        {"apiSecret": "a1b2c3d4e5f6", "password": "correct horse", "symbol": "BTC", "n": 12345678}
    )

    assert found == {
        "apiSecret": "[masked:credential]",
        "password": "[masked:password]",
        "symbol": "BTC",
        "n": 12345678,
    }


def test_a_name_speaks_for_lists_and_for_fields_that_name_nothing():
    digits = Maker().evm_hash()

    assert mask_json({"api_keys": ["a1b2c3d4e5f6"]}) == {"api_keys": ["[masked:credential]"]}
    assert mask_json({"from_key": {"value": digits}}) == {
        "from_key": {"value": "[masked:private-key]"}
    }
    assert mask_json({"hash": digits}) == {"hash": digits}


def test_secrets_in_names_go_and_no_field_is_lost():
    make = Maker()
    one, other = ("AKIA" + make.of("ABCDEFGH234567", 16) for _ in range(2))

    assert mask_json({one: 1, other: 2}) == {"[masked:aws-key-id]": 1, "[masked:aws-key-id] 1": 2}


def test_words_of_a_phrase_in_a_row_are_masked_one_by_one():
    words = Maker().phrase(12).split()

    assert mask_json(["x!", *words]) == ["x!", *["[masked:recovery-phrase]"] * 12]
    assert mask_json({"words": dict(enumerate(words))}) == {
        "words": dict.fromkeys(range(12), "[masked:recovery-phrase]")
    }


def test_numbers_stay_but_for_the_bytes_of_a_key_pair():
    make = Maker()
    signature = list(make.signature())

    assert mask_json(list(make.key_pair())) == "[masked:solana-key]"
    assert mask_json(signature) == signature
    assert mask_json([1.5, 2, 10**30, True, None]) == [1.5, 2, 10**30, True, None]


def test_what_lies_too_deep_is_dropped():
    value: object = "password=hunter2!"
    for _ in range(5000):
        value = [value]

    assert "hunter2" not in json.dumps(mask_json(value))


def test_every_secret_of_the_corpus_goes_inside_json_too():
    for planted in must():
        written = json.dumps(mask_json({"note": [planted.text]}), ensure_ascii=False)
        assert [one for one in planted.secrets if len(one) > 8 and one in written] == []


@given(JSON)
def test_any_value_is_masked_and_masking_it_again_changes_nothing(value: object):
    once = mask_json(value)

    assert mask_json(once) == once


def test_the_name_of_a_field_is_a_label_of_the_words_of_a_phrase():
    words = Maker(9).phrase(12).split()[:11]
    gone = ["[masked:recovery-phrase]"] * 11

    assert mask_json({"seed_words": words}) == {"seed_words": gone}
    assert mask_json({"mnemonic": dict(enumerate(words))}) == {"mnemonic": dict(enumerate(gone))}
    assert mask_json({"recoveryPhrase": " ".join(words)}) == {"recoveryPhrase": gone[0]}
    assert mask_json({"flash_cards": words}) == {"flash_cards": words}


@given(
    st.sampled_from(["closes", "pin", "api_key", "seed", "passcode", "sig", "a:b", "токен"])
    | st.text(max_size=12),
    st.from_regex(r"[+-]?[0-9]{1,9}(\.[0-9]{1,8})?", fullmatch=True),
)
def test_a_number_is_masked_alike_whatever_way_it_is_looked_at(name, number):
    # A space behind it does not change what it says, but takes the way of other texts.
    padded = mask_json({name: number + " "})

    assert {key: value.rstrip(" ") for key, value in padded.items()} == mask_json({name: number})


@pytest.mark.parametrize(
    ("name", "number", "is_secret"),
    [
        ("passcode", "403", False),  # found by the test above: four characters with the space
        ("pwd", "-00", False),
        ("密码", "+90", False),
        ("cookie", "-005427", False),
        ("密码 ", "30.08216740", True),  # with the space it was an ordinary word
        ("passcode", "4031", True),
    ],
)
def test_a_space_behind_a_number_makes_it_no_secret_and_none_harmless(name, number, is_secret):
    masked = [mask_json({name: said})[name] for said in (number, f"{number} ", f"{number}  ")]

    assert [one.startswith("[masked") for one in masked] == [is_secret] * 3


def test_numbers_below_the_name_of_a_secret_are_masked():
    found = mask_json({"passcode": "493817", "closes": ["101.65", "98"], "api_key": ["493817265"]})

    assert found["closes"] == ["101.65", "98"]
    assert found["passcode"] != "493817"


@given(
    st.sampled_from(
        ["run", "mfa", "otp", "x_key", "api_key", "seed", "pin", "sig", "a_b_c_d_e_f_g"]
    )
    | st.from_regex(r"[a-z0-9_]{0,38}", fullmatch=True),
    st.sampled_from([*Maker(9).phrase(12).split(), "GEZDGNBVGY3TQOJQ", "a-u", "key", "secret_1"])
    | st.from_regex(r"[A-Za-z0-9_.-]{1,19}", fullmatch=True),
)
@example("2fa", "GEZDGNBVGY3TQOJQ")
@example("seed_abandon_ability_able_about_above_a", "bed.act.add.age.aim")
def test_a_short_word_that_passes_at_once_passes_every_detector(name: str, value: str):
    if fields._is_harmless(value, name):
        assert fields._masked_text(value, name) == value
