"""The modules of the system that Afterword needs: file locks and limits of a process."""

from afterword.pipeline.errors import UnavailableError

try:
    import fcntl
    import resource
except ImportError as error:
    raise UnavailableError(
        f"this system cannot run Afterword: its Python has no {error.name}, which Linux and macOS "
        "have (on Windows, use WSL 2); docs/platforms.md says what is supported"
    ) from None

__all__ = ["fcntl", "resource"]
