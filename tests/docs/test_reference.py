"""The reference is generated: its files hold what the program declares, and nothing else."""

from reference.pages import FOLDER, pages


def test_the_files_of_the_reference_are_what_the_program_declares():
    texts = pages()

    assert sorted(file.name for file in FOLDER.iterdir()) == sorted(texts)
    old = [name for name, text in texts.items() if (FOLDER / name).read_text() != text]
    assert old == [], "write them anew: make reference"
