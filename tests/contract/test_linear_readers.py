"""No reader of foreign text takes more than a time in proportion to it.

What is read is found in the program (`tests.corpora.readers`), so a new function, expression or
layout is measured without an entry here. `python -m benchmarks readers` searches longer.
"""

from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest

from afterword.pipeline.domain.documents.document import open_document
from afterword.pipeline.domain.exports.read import known_layouts
from afterword.pipeline.domain.layouts.layout import Layout
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask
from tests.corpora.readers import (
    GENERIC,
    MOST_GROWTH,
    expressions,
    file_reader,
    functions,
    growth,
    price_reader,
    price_samples,
    repeated,
    samples_of,
    spread,
    tokens_of,
)

FEW = 480
"""Characters of the shorter text: few, so that the suite stays quick. Four times as many are still
a line of a prompt, which is cut at 2,000 and read twice then."""


def test_a_function_of_a_text_takes_a_time_in_proportion_to_it():
    slow = [
        (name, token)
        for number, (name, read) in enumerate(functions().items())
        for place, token in enumerate(spread(GENERIC, 55))
        # Another end for each: two functions may keep their answers in one place, and two tokens,
        # such as one line break and two, may make one text.
        if growth(read, partial(repeated, token, end=f"{number:03}.{place}"), FEW) >= MOST_GROWTH
    ]

    assert slow == []


def test_a_regular_expression_takes_a_time_in_proportion_to_the_text():
    slow = [
        (name, token)
        for name, expression in expressions().items()
        for token in spread(tokens_of(expression.pattern), 20)
        if growth(expression.read, partial(repeated, token, end="!"), FEW) >= MOST_GROWTH
    ]

    assert slow == []


@pytest.mark.parametrize("layout", known_layouts(), ids=lambda layout: layout.name)
def test_a_file_of_a_layout_takes_a_time_in_proportion_to_it(layout: Layout, tmp_path: Path):
    read = file_reader(tmp_path / f"export.{'csv' if layout.columns else 'txt'}")
    slow = [
        sample.what
        for sample in samples_of(layout)
        if growth(read, sample.text_of, 2 * FEW) >= MOST_GROWTH
    ]

    assert slow == []


def test_a_file_of_prices_takes_a_time_in_proportion_to_it(tmp_path: Path):
    read = price_reader(tmp_path / "prices.csv")
    slow = [
        sample.what
        for sample in price_samples()
        if growth(read, sample.text_of, 2 * FEW) >= MOST_GROWTH
    ]

    assert slow == []


def test_a_zip_of_many_files_is_refused_in_a_time_in_proportion_to_them(tmp_path: Path):
    path = tmp_path / "export.zip"

    def read(text: str) -> None:
        with ZipFile(path, "w") as archive:
            for number in range(len(text)):
                archive.writestr(f"{number}/fills.json", "")
        with pytest.raises(InvalidInputError, match="is a zip of"):
            open_document(path)

    assert growth(read, partial(repeated, "a"), 200) < MOST_GROWTH


@pytest.mark.parametrize("gap", ["1", "1.", "\\", "_", "\\n"])
def test_what_stands_between_the_words_of_a_phrase_is_read_in_one_way(gap: str):
    words = "abandon ability able about above absent absorb abstract absurd abuse access"

    def text_of(size: int) -> str:
        return f"my seed phrase: {words} {repeated(gap, size)}! accident account accuse"

    assert growth(mask, text_of, 8) < MOST_GROWTH
