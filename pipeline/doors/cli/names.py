"""How a memory is named on a command line."""


def memory_name(written: str) -> str | int:
    """Return the number inside the store, or the uid, that a text names."""
    is_number = written.isascii() and written.isdigit() and len(written) < 19
    return int(written) if is_number else written
