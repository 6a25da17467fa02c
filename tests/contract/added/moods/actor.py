"""The actor that forgets moods."""

from afterword.workers.worker.context import Work


def forget(work: Work) -> None:
    """Forget moods that faded."""
