"""Write the pages of the reference: `python -m reference`."""

from reference.pages import FOLDER, pages


def main() -> None:
    """Write every page, and remove the pages that are no longer made."""
    texts = pages()
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text)


main()
