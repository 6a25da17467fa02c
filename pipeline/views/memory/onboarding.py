"""The onboarding: its questions, what was answered, and what an answer did."""

from collections.abc import Mapping
from typing import Final

from afterword.pipeline.domain.profile.answers import CAPITAL, answer_label
from afterword.pipeline.domain.profile.onboarding import OnboardingResult, OnboardingStatus
from afterword.pipeline.rules.user_tags.schema import LABELS
from afterword.pipeline.views.blocks import Block, Fields, Items, Paragraph, View
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.words import moment

_ASKED: Final[Mapping[str, str]] = {
    "finance_knowledge": "How well do you know finance?",
    "frequency": "How often do you trade?",
    "risk": "Which risk are you willing to take?",
    "markets": "Which markets do you trade? One or more, separated by commas.",
    CAPITAL: "How much do you invest, such as $1k-5k? It is kept as your own word only.",
}


def question_view(question: str) -> View:
    """Return a question with its choices, numbered."""
    blocks: list[Block] = [Paragraph(_ASKED[question])]
    if question != CAPITAL:
        labels = LABELS[question].values()
        blocks.append(Items([f"{number} {label}" for number, label in enumerate(labels, start=1)]))
    return View(blocks)


def question_words(question: str) -> str:
    """Return a question."""
    return _ASKED[question]


def onboarding_done(result: OnboardingResult) -> View:
    """Return what the answers did."""
    if not result.tags_set and not result.memories_written:
        return View([Paragraph("these answers were known already; nothing was written")])
    tags = ", ".join(result.tags_set) or "no tag"
    memories = count(result.memories_written, "memory", "memories")
    return View([Paragraph(f"declared: {tags}; {memories} written")])


def onboarding_state(status: OnboardingStatus) -> View:
    """Return whether the owner was asked, and the answers."""
    if status.completed_at is None:
        return View([Paragraph("not asked yet: `afterword profile onboard` asks")])
    answers = {question: answer_label(question, said) for question, said in status.answers.items()}
    return View([Paragraph(f"completed {moment(status.completed_at)}"), Fields(answers)])
