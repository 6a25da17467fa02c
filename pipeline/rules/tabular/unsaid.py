"""Ask for all that a file does not say and only its owner knows, in one message."""

from typing import Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError


class Unsaid(NamedTuple):
    """A thing that a file may not say.

    Args:
        verb: completes "does not".
        accepted: options that say it.
    """

    verb: str
    accepted: str


ZONE: Final = Unsaid(
    "say the time zone of its times", "--zone UTC, --zone UTC+8 or --zone America/New_York"
)
DAY: Final = Unsaid("say the day of its times", "--day 2026-03-31")
MARKET: Final = Unsaid("name its market", "--symbol BTCUSDT")


def ask_for(name: str, *things: Unsaid) -> InvalidInputError:
    """Return the error that asks for all of these.

    Args:
        name: of the file.
    """
    problem = " and ".join(f"does not {thing.verb}" for thing in things)
    accepted = "; and ".join(thing.accepted for thing in things)
    return InvalidInputError(name, problem, accepted)
