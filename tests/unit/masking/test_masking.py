"""Secrets in texts: they disappear completely, and all other text stays."""

import re

import pytest

from afterword.pipeline.rules.masking import findings, mask, mask_json, scan
from tests.corpora.secrets import Maker, Planted, must, stay

MUST = list(must())
STAY = list(stay())
PIECE = 8
"""Characters of a secret that may not be left in a row."""


def pieces(secret: str) -> set[str]:
    return {secret[at : at + PIECE] for at in range(max(1, len(secret) - PIECE + 1))}


def unmasked(text: str) -> str:
    """Return what masking leaves of a text, without the markers."""
    return re.sub(r"\[masked:[a-z0-9-]+\]", "\0", mask(text))


def test_the_corpus_is_large_and_plants_what_it_says():
    assert len(MUST) >= 150
    assert sum(side == "id" for side, _ in STAY) >= 140
    assert sum(side == "prose" for side, _ in STAY) >= 60
    assert [one for one in MUST if not one.secrets] == []
    for one in MUST:
        written = one.text.encode().decode("unicode_escape") if "\\n" in one.text else one.text
        assert all(secret in one.text or secret in written for secret in one.secrets)


@pytest.mark.parametrize("planted", MUST, ids=lambda one: f"{one.family}")
def test_nothing_of_a_secret_is_left(planted: Planted):
    left = unmasked(planted.text)

    assert [piece for secret in planted.secrets for piece in pieces(secret) if piece in left] == []


@pytest.mark.parametrize(("side", "text"), STAY)
def test_what_is_no_secret_stays_as_it_is(side: str, text: str):
    assert mask(text) == text


@pytest.mark.parametrize("text", [one.text for one in MUST])
def test_masking_twice_is_masking_once(text: str):
    assert mask(mask(text)) == mask(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("api_key=a1b2c3d4e5f6, symbol=BTC", "api_key=[masked:credential], symbol=BTC"),
        ('{"password":"hunter2!","n":1}', '{"password":"[masked:password]","n":1}'),
        ("postgres://bob:hunter2@db/x", "postgres://bob:[masked:password]@db/x"),
        ("Authorization: Bearer a1b2c3d4e5", "Authorization: Bearer [masked:authorization]"),
        ("?token=a1b2c3d4e5f6a7b8c9&symbol=BTC", "?token=[masked:token]&symbol=BTC"),
        ("密码：hunter2，别说", "密码：[masked:password]，别说"),
    ],
)
def test_what_surrounds_a_secret_stays(text: str, expected: str):
    assert mask(text) == expected


def test_a_finding_names_its_kind_and_place():
    phrase = Maker().phrase()

    assert findings(f"my phrase: {phrase}!") == [(11, 11 + len(phrase), "recovery-phrase")]


def test_a_text_without_secrets_comes_back_as_the_same_object():
    text = "Sold half of the position at 3,250; the key level is below."

    assert mask(text) is text


def test_a_hash_is_a_key_only_where_the_nearest_words_say_so():
    digits = Maker().evm_hash()

    assert mask(f"private key {digits}") == "private key [masked:private-key]"
    assert mask(f"private key, then tx {digits}") == f"private key, then tx {digits}"
    assert mask(f"Keep the private key safe. {digits}") == f"Keep the private key safe. {digits}"
    assert mask(f"private key {digits} {digits}") == f"private key [masked:private-key] {digits}"


def test_a_phrase_with_one_wrong_word_is_prose():
    words = Maker(3).phrase(12).split()
    wrong = [*words[:-1], "zoo" if words[-1] != "zoo" else "wrong"]

    assert "[masked" in mask(" ".join(words))
    assert mask(" ".join(wrong)) == " ".join(wrong)


def test_a_phrase_is_found_among_other_words_of_its_list():
    phrase = Maker(4).phrase(24)
    left = unmasked(f"seed phrase word list {phrase} keep this secret")

    assert [word for word in phrase.split() if f" {word} " in left] == []


def test_a_sentence_between_two_words_parts_a_phrase():
    words = Maker(5).phrase(12).split()
    text = " ".join(words[:6]) + ". " + " ".join(words[6:])

    assert mask(text) == text


def test_a_word_of_a_phrase_may_be_the_word_word():
    words = next(
        phrase for phrase in map(Maker(6).phrase, [12] * 9999) if "word" in phrase.split()
    ).split()
    numbered = " ".join(f"{at}) {word}" for at, word in enumerate(words, 1))
    labelled = " ".join(f"word {at} {word}" for at, word in enumerate(words, 1))

    assert mask(numbered) == "1) [masked:recovery-phrase]"
    assert mask(labelled) == "word 1 [masked:recovery-phrase]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seed phrase: {12}\nBuy gold at 120", "seed phrase: {m}\nBuy gold at 120"),
        ("seed words 1-12: {12}\nand 13-24: {24}", "seed words 1-12: {m}\nand 13-24: {m}"),
        ("first half of my seed phrase: {12}. ok", "first half of my seed phrase: {m}. ok"),
        ("{12} is my recovery phrase", "{m} is my recovery phrase"),
        ("wallet words\n{12}\n\nthe rest stays", "wallet words\n{m}\n\nthe rest stays"),
    ],
)
def test_a_label_takes_no_more_than_its_phrase(text: str, expected: str):
    first, second = (Maker(seed).wrong_phrase(12) for seed in (21, 22))

    written = text.replace("{12}", first).replace("{24}", second)
    assert mask(written) == expected.replace("{m}", "[masked:recovery-phrase]")


def test_ten_words_under_a_label_and_eleven_without_one_are_prose():
    words = Maker(13).wrong_phrase(12).split()
    few, without = f"seed phrase: {' '.join(words[:10])}", " ".join(words[:11])

    assert (mask(few), mask(without)) == (few, without)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bob:{}@db.example.net:5432/x", "bob:[masked:password]@db.example.net:5432/x"),
        (
            "mongodb+srv://bob:<{}>@c.example.net",
            "mongodb+srv://bob:<[masked:password]>@c.example.net",
        ),
        ("credentials: bob:{}@db.example.net", "credentials: bob:[masked:password]@db.example.net"),
        ("password: {}@db.a.example.net", "password: [masked:password]@db.a.example.net"),
    ],
)
def test_of_an_address_only_the_password_goes(text: str, expected: str):
    assert mask(text.format("Xk9mQ2vL77")) == expected


def test_a_private_key_written_as_code_goes_to_its_end_line():
    lines = Maker(7).pem().split("\n")
    text = "key = (" + "\n".join(f'"{line}\\n"' for line in lines) + ")"

    assert mask(text) == 'key = ("[masked:pem-key]\\n")'


def test_letters_that_grow_in_lower_case_move_nothing():
    assert mask("İİİİ password=hunter2! İ") == "İİİİ password=[masked:password] İ"


def test_markers_side_by_side_are_left_alone():
    text = "curl --user bob([masked:a][masked:b][masked:c]"

    assert mask(text) == text


INVISIBLE = (
    *("\u200b", "\u2060", "\ufeff", "\u202e", "\u00ad", "\ufe0f", "\U000e0041", "\U000e0100"),
    *("\x00", "\x08", "\x7f", "\x9f", "\u061c", "\u115f", "\u2800", "\u3164", "\uffa0", "\ufff9"),
    *("\ue000", "\U000f0000", "\u0378", "\ufffe", "\U0001d173"),
)


@pytest.mark.parametrize("sign", INVISIBLE, ids=ascii)
def test_a_secret_split_by_what_nobody_sees_goes_as_a_whole(sign: str):
    key = Maker().evm_hash()
    split = sign.join((key[:10], key[10:40], key[40:]))

    assert mask(f"private{sign} key {split}, kept") == (
        f"private{sign} key [masked:private-key], kept"
    )
    assert mask_json({f"pass{sign}word": "hunter2!"}) == {f"pass{sign}word": "[masked:password]"}


@pytest.mark.parametrize("planted", MUST, ids=lambda one: f"{one.family}")
def test_no_secret_hides_behind_what_nobody_sees(planted: Planted):
    text = planted.text
    for secret in planted.secrets:
        middle = len(secret) // 2
        text = text.replace(secret, f"{secret[:middle]}\u200b{secret[middle:]}")
    left = unmasked(text).replace("\u200b", "")

    assert [piece for secret in planted.secrets for piece in pieces(secret) if piece in left] == []


@pytest.mark.parametrize(("side", "text"), STAY)
def test_what_nobody_sees_stays_in_what_is_no_secret(side: str, text: str):
    strewn = text.replace(" ", " \u200d\ufe0f")

    assert mask(strewn) is strewn


@pytest.mark.parametrize(
    "text",
    [
        "\u0430pi k\u0435y: {}",  # Cyrillic a and e
        "\uff41\uff50\uff49\uff3f\uff4b\uff45\uff59\uff1a{}",  # full width
        "Contraseña: {}",
        "la contraseña es {}",
        "mot de passe : {}",
        "Пароль: {}",
        "パスワードは{}",
        "비밀번호: {}",
    ],
)
def test_a_label_may_be_disguised_or_of_another_language(text: str):
    assert re.fullmatch(r".*\[masked:[a-z]+\]", mask(text.format("Zx81kd92mdk20sKd92")))


@pytest.mark.parametrize("label", ["приватный ключ", "секретный ключ", "закрытый ключ", "ключ api"])
@pytest.mark.parametrize("space", ["\n", "\t", "\u00a0"])
def test_a_russian_label_of_two_words_may_have_any_space_between(label: str, space: str):
    written = label.replace(" ", space)

    assert mask(f"{written}: Zx81kd92mdk20sKd92") == f"{written}: [masked:credential]"


def test_a_label_of_another_language_is_no_secret():
    for text in ("забыл пароль от биржи", "olvidé la contraseña ayer", "パスワードを忘れた"):
        assert mask(text) is text


@pytest.mark.parametrize("planted", MUST, ids=lambda one: f"{one.family}")
def test_a_quick_check_leaves_out_no_detector_that_would_find_something(
    planted: Planted, monkeypatch: pytest.MonkeyPatch
):
    found = findings(planted.text)

    monkeypatch.setattr(scan, "has_label_words", lambda _low: True)
    monkeypatch.setattr(scan, "_LONG", b"")
    monkeypatch.setattr(scan.phrases, "are_possible", lambda _text: True)
    monkeypatch.setattr(scan.labelled_phrases, "are_possible", lambda _low: True)
    monkeypatch.setattr(scan.labels, "are_possible", lambda _low: True)
    assert findings(planted.text) == found
