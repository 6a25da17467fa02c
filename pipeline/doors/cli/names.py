"""Read the name of a memory from a command line."""


def memory_name(written: str) -> str | int:
    """Return the number or the uid of a memory."""
    is_number = written.isascii() and written.isdigit() and len(written) < 19
    return int(written) if is_number else written
