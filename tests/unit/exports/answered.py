"""The line that a refusal proposes, with the zone that it asks for."""


def in_utc(accepted: str) -> str:
    """Answer the question for the zone of times with UTC, where it is asked; leave the others."""
    line, _, asked = accepted.partition(" with ")
    questions = [question for question in asked.split("; and ") if question]
    others = [question for question in questions if not question.startswith("--zone")]
    line += " --zone UTC" * (len(questions) - len(others))
    return f"{line} with {'; and '.join(others)}" if others else line
